// The runs of an open notebook: its kernel's own word as long as the kernel speaks, else the word that the server reads.

import { Signal } from "@lumino/signaling";
import { expect, test, vi } from "vitest";

import { Comm } from "./comm";

vi.mock("@jupyterlab/apputils", () => ({ Notification: null }));
vi.mock("../../src/lab/run-card", () => ({}));

const RUN = { run: "r1", session: "default", task: "Count.", state: "thinking", step: 0, began: 1, since: 2, cell: "", client: "", widget: "", kernel: "k1" };
const PENDING = { ...RUN, state: "pending", step: 1 };

class Kernel {
  id = "k1";
  isDisposed = false;
  connectionStatus = "disconnected";
  connectionStatusChanged = new Signal<this, string>(this);
  statusChanged = new Signal<this, string>(this);
  disposed = new Signal<this, void>(this);
  private opened: (comm: Comm) => void = () => undefined;

  registerCommTarget(_: string, opened: (comm: Comm) => void): void {
    this.opened = opened;
  }

  removeCommTarget(): void {}

  opens(): Comm {
    const comm = new Comm("c1");
    this.opened(comm);
    return comm;
  }
}

/** A page with one notebook open: its kernel, what it shows, and a look at the server. */
async function page() {
  const { RunTracker } = await import("../../src/lab/run-tracker");
  const kernel = new Kernel();
  const panel = { disposed: new Signal({}), sessionContext: { kernelChanged: new Signal({}), session: { kernel } } };
  const tracker = { forEach: (each: (one: unknown) => void) => each(panel), widgetAdded: new Signal({}) };
  const app = { serviceManager: { serverSettings: {}, sessions: { running: () => [] } } };
  const watch = new RunTracker(app as never, null, tracker as never, () => undefined);
  watch["poll"].dispose();
  const shown = (): unknown[] => watch.runs.map(({ state, step }) => [state, step]);
  const look = (runs: unknown[] | null): Promise<void> =>
    watch["pollServer"]({ kernels: async () => (runs === null ? [] : [{ id: "k1", process: "7:70", runs }]) } as never);
  return { kernel, watch, shown, look };
}

test("a report of a kernel takes precedence over the server's", async () => {
  const { kernel, shown, look } = await page();
  const comm = kernel.opens();
  comm.says(PENDING);
  for (let each = 0; each < 3; each++) {
    await look([RUN]); // a slow disk
    expect(comm.sent).toHaveLength(2 + each); // asked as it was opened, and as the server says something else
    comm.says(PENDING);
    expect(shown()).toEqual([["pending", 1]]);
  }
});

test("if a kernel does not answer before the next poll, the server's runs are shown until it does", async () => {
  const { kernel, shown, look } = await page();
  const comm = kernel.opens();
  comm.says(RUN);
  await look([PENDING]);
  expect(shown()).toEqual([["thinking", 0]]);
  await look([PENDING]);
  expect(shown()).toEqual([["pending", 1]]);
  await look([]);
  expect(shown()).toEqual([]);
  comm.says({ ...PENDING, step: 4 });
  expect(shown()).toEqual([["pending", 4]]);
});

test("after a kernel closed its comm, the server's runs are shown", async () => {
  const { kernel, shown, look } = await page();
  const comm = kernel.opens();
  comm.says(RUN);
  await look([PENDING]);
  comm.onClose();
  expect(shown()).toEqual([["pending", 1]]);
});

test("a kernel that the server does not know is not asked again", async () => {
  const { kernel, shown, look } = await page();
  kernel.opens().says(PENDING);
  for (let each = 0; each < 3; each++) await look(null);
  expect(shown()).toEqual([["pending", 1]]);
});

test("a waiting step is reported once when the server's runs replace those of a silent kernel", async () => {
  const { kernel, watch, look } = await page();
  kernel.opens().says(RUN);
  const told: number[] = [];
  watch.changed.connect(() => told.push(watch.runs.length));
  for (let each = 0; each < 4; each++) await look([PENDING]);
  expect(told).toEqual([1, 1]); // the kernel is known to the server; then another state
});
