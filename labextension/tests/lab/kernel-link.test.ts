// A link against a kernel connection that does what JupyterLab's does: comms, comm_info, and its signals.

import { Signal } from "@lumino/signaling";
import { describe, expect, test } from "vitest";

import { CELLS, ignoreOtherComms, KernelLink, TARGET, type RunsChange } from "../../src/lab/kernel-link";
import { Comm } from "./comm";

const RUN = {
  run: "r1",
  session: "default",
  task: "Count.",
  state: "pending",
  step: 1,
  began: 1,
  since: 2,
  cell: "c1",
  client: "p1",
  widget: "w1",
};

class Kernel {
  id = "k1";
  isDisposed = false;
  connectionStatus = "connected";
  connectionStatusChanged = new Signal<this, string>(this);
  statusChanged = new Signal<this, string>(this);
  disposed = new Signal<this, void>(this);
  targets: ((comm: Comm) => void)[] = [];
  made: Comm[] = [];
  comms: Record<string, unknown> = {};

  registerCommTarget(_: string, callback: (comm: Comm) => void): void {
    this.targets.push(callback);
  }

  removeCommTarget(_: string, callback: (comm: Comm) => void): void {
    this.targets = this.targets.filter((target) => target !== callback);
  }

  hasComm(id: string): boolean {
    return this.made.some((comm) => comm.commId === id);
  }

  createComm(_: string, id: string): Comm {
    this.made.push(new Comm(id));
    return this.made.at(-1)!;
  }

  async requestCommInfo(): Promise<unknown> {
    return { content: { status: "ok", comms: this.comms } };
  }

  opens(): Comm {
    const comm = new Comm("opened");
    this.made.push(comm);
    for (const target of this.targets) target(comm);
    return comm;
  }
}

function linked(kernel: Kernel): { link: KernelLink; told: RunsChange[] } {
  const link = new KernelLink(kernel as never);
  const told: RunsChange[] = [];
  link.changed.connect((_, each) => told.push(each));
  return { link, told };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const states = (told: RunsChange[]): unknown[] => told.map(({ runs, found }) => [runs.map(({ run }) => run), found]);

describe("a page that is there when the first run begins", () => {
  test("is told by the comm that the kernel opens", async () => {
    const kernel = new Kernel();
    const { link, told } = linked(kernel);
    await settled();
    expect(link.runs).toBeNull();
    const comm = kernel.opens();
    expect(comm.sent).toEqual([{ type: "sync" }]); // so that the kernel knows of a page that knows the comm
    comm.says(RUN);
    expect(states(told)).toEqual([[["r1"], false]]);
    expect(link.runs).toEqual([{ ...RUN, kernel: "k1" }]);
  });
});

describe("a page that comes later", () => {
  test("finds the comm, requests the runs, and knows that they were active before", async () => {
    const kernel = new Kernel();
    kernel.comms = { c9: { target_name: "smolcell" } };
    const { told } = linked(kernel);
    await settled();
    const [comm] = kernel.made;
    expect(comm!.sent).toEqual([{ type: "sync" }]);
    comm!.says(RUN);
    comm!.says({ ...RUN, state: "running" });
    expect(states(told)).toEqual([[["r1"], true], [["r1"], false]]);
  });

  test("requests the runs again after a lost connection", async () => {
    const kernel = new Kernel();
    kernel.comms = { c9: {} };
    linked(kernel);
    await settled();
    kernel.connectionStatusChanged.emit("connecting");
    kernel.connectionStatusChanged.emit("connected");
    await settled();
    expect(kernel.made).toHaveLength(1);
    expect(kernel.made[0]!.sent).toEqual([{ type: "sync" }, { type: "sync" }]);
  });
});

test("a restarted kernel has no runs, and its next comm is used", () => {
  const kernel = new Kernel();
  const { told } = linked(kernel);
  kernel.opens().says(RUN);
  kernel.statusChanged.emit("restarting");
  kernel.opens().says({ ...RUN, run: "r2" });
  expect(states(told)).toEqual([[["r1"], false], [[], false], [["r2"], false]]);
});

test("closing the comm removes its runs; closing an old comm does not", () => {
  const kernel = new Kernel();
  const { link } = linked(kernel);
  const first = kernel.opens();
  first.says(RUN);
  const second = kernel.opens();
  second.says(RUN);
  first.onClose();
  expect(link.runs).toHaveLength(1);
  second.onClose();
  expect(link.runs).toBeNull(); // it says nothing any more
});

test("unknown messages are ignored", () => {
  const kernel = new Kernel();
  const { told } = linked(kernel);
  const comm = kernel.opens();
  comm.onMsg({ content: { data: { type: "other", runs: [RUN] } } });
  expect(told).toEqual([]);
});

test("stop sends the run's id; a disposed link unregisters from the kernel", () => {
  const kernel = new Kernel();
  const { link } = linked(kernel);
  const comm = kernel.opens();
  link.stop("r1");
  expect(comm.sent).toEqual([{ type: "sync" }, { type: "stop", run: "r1" }]);
  link.dispose();
  link.dispose();
  expect(kernel.targets).toEqual([]);
});

test("a connection for one message closes no comm that the kernel opens for its notebook's page", () => {
  const known: string[] = [];
  ignoreOtherComms({ registerCommTarget: (target: string) => known.push(target) } as never);
  expect(known.sort()).toEqual(["jupyter.widget", TARGET, CELLS]);
});
