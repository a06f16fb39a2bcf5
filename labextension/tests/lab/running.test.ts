// The agents' runs among the running sessions, and their Stop.

import { Signal } from "@lumino/signaling";
import { beforeEach, expect, test, vi } from "vitest";

import type { Run } from "../../src/lab/runs";

const RUN = { run: "r1", task: "Count.", state: "pending", step: 2 } as Run;
const said: [string, unknown][] = [];
vi.mock("@jupyterlab/apputils", () => ({ Notification: { error: (...given: [string, unknown]) => said.push(given) } }));
vi.mock("@jupyterlab/running", () => ({ IRunningSessionManagers: null }));
vi.mock("@jupyterlab/ui-components", () => ({ LabIcon: class {} }));

interface Entries {
  running(): { shutdown(): void }[];
  shutdownAll(): void;
}

/** The entries, of two runs whose end is this. */
async function entries(stop: (run: Run) => Promise<void>): Promise<Entries> {
  const { running } = await import("../../src/lab/running");
  const activeRuns = { runs: [RUN, { ...RUN, run: "r2" }], changed: new Signal({}), pathOf: () => "", stop };
  const made: Entries[] = [];
  void running.activate({} as never, activeRuns as never, { add: (one: Entries) => made.push(one) } as never);
  return made[0]!;
}

beforeEach(() => void said.splice(0));

test("if a run cannot be stopped, a notification says so and what to do", async () => {
  const { running, shutdownAll } = await entries(async ({ run }) => {
    throw new Error(`Its kernel does not answer: ${run}.`);
  });
  running()[0]!.shutdown();
  await vi.waitFor(() => expect(said).toEqual([["The run was not stopped. Its kernel does not answer: r1.", { autoClose: false }]]));
  shutdownAll();
  await vi.waitFor(() => expect(said.map(([text]) => text.at(-2))).toEqual(["1", "1", "2"]));
});

test("a stopped run causes no notification", async () => {
  const stopped: string[] = [];
  const { shutdownAll } = await entries(async ({ run }) => void stopped.push(run));
  shutdownAll();
  await vi.waitFor(() => expect(stopped).toEqual(["r1", "r2"]));
  expect(said).toEqual([]);
});
