// Stop from afar: bounded whatever the kernel does, and said in words.

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { stopRemotely } from "../../src/lab/remote-stop";
import type { Run } from "../../src/lab/runs";

vi.mock("@jupyterlab/apputils", () => ({ Notification: null }));

const RUN = { run: "r1", kernel: "k1" } as Run;
const NEVER = new Promise<never>(() => undefined);
const BUSY = "Its kernel does not answer: it is busy with something else. Open a.ipynb and interrupt the kernel.";

interface Replies {
  find?: Promise<unknown>;
  comms?: Promise<unknown>;
  done?: Promise<unknown>;
}

function kernels({ find = Promise.resolve({ id: "k1" }), comms = Promise.resolve({ c9: {} }), done = Promise.resolve() }: Replies) {
  const sent: unknown[] = [];
  const connected = {
    registerCommTarget: () => undefined,
    requestCommInfo: async () => ({ content: { status: "ok", comms: await comms } }),
    createComm: (target: string, id: string) => ({ send: (data: unknown) => (sent.push([target, id, data]), { done }) }),
    dispose: () => sent.push("disposed"),
  };
  return { sent, manager: { findById: () => find, connectTo: () => connected } };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function stopped(told: Replies, path = "x/a.ipynb"): Promise<unknown[]> {
  const { sent, manager } = kernels(told);
  const outcome = stopRemotely(manager as never, RUN, path).then(() => "stopped", (error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(vi.getTimerCount()).toBe(0);
  return [await Promise.race([outcome, Promise.resolve().then(() => "waits")]), ...sent];
}

test("a run is stopped over a connection of its own, by the kernel's comm", async () => {
  expect(await stopped({})).toEqual(["stopped", ["smolcell", "c9", { type: "stop", run: "r1" }], "disposed"]);
});

test.each([
  ["a server that does not answer", { find: NEVER }, ["The server does not answer. Check that it is running, and try again."]],
  ["a kernel that is gone", { find: Promise.resolve(undefined) }, ["Its kernel is gone, or belongs to another server."]],
  ["a kernel that is busy", { comms: NEVER }, [BUSY, "disposed"]],
  ["a kernel without runs", { comms: Promise.resolve({}) }, ["Its kernel has no active runs any more.", "disposed"]],
])("%s is said to be so", async (_, told, expected) => {
  expect(await stopped(told)).toEqual(expected);
});

test("waiting for a kernel's confirmation has a timeout", async () => {
  const [said, , last] = await stopped({ done: NEVER }, "");
  expect(said).toBe("Its kernel did not confirm. If the run goes on: Open its notebook and interrupt the kernel.");
  expect(last).toBe("disposed");
});
