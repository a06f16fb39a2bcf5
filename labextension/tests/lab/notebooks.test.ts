// Notebooks that open and close, and change their kernels: nothing of the extension stays behind.

import { Signal } from "@lumino/signaling";
import { beforeEach, expect, test, vi } from "vitest";

import { INSERT, RUN_ENDED } from "../../src/core/export";

vi.mock("@jupyterlab/apputils", () => ({ Notification: null }));
vi.mock("@jupyterlab/notebook", () => ({ INotebookTracker: null }));
vi.mock("../../src/lab/run-card", () => ({}));

let targets = 0;
let listeners = 0;
let open = new Set<Kernel>();
let asked: Kernel[] = [];

class Kernel {
  isDisposed = false;
  connectionStatus = "disconnected";
  connectionStatusChanged = new Signal<this, string>(this);
  statusChanged = new Signal<this, string>(this);
  disposed = new Signal<this, void>(this);
  private readonly known = new Map<string, unknown>();

  constructor(readonly clientId = "page") {
    open.add(this);
  }

  registerCommTarget(target: string, opened: unknown): void {
    this.known.set(target, opened);
    targets++;
  }

  removeCommTarget(target: string, opened: unknown): void {
    if (this.known.get(target) === opened && this.known.delete(target)) targets--;
  }

  async requestCommInfo(): Promise<unknown> {
    asked.push(this);
    return { content: { status: "ok", comms: {} } };
  }

  opens(target: string, comm: unknown, data: object): void {
    (this.known.get(target) as (comm: unknown, message: unknown) => void)(comm, { content: { data } });
  }
}

class Panel {
  isDisposed = false;
  disposed = new Signal<this, void>(this);
  node = document.createElement("div");
  sessionContext = { kernelChanged: new Signal<object, unknown>({}), session: { kernel: new Kernel() } };
  inserted: unknown[] = [];
  content = {
    widgets: [{ node: this.node, model: { id: "c1" } }],
    model: { readOnly: false, sharedModel: { insertCells: (at: number, cells: { source: string }[]) => this.inserted.push(at, ...cells.map(({ source }) => source)) } },
  };

  constructor() {
    const { addEventListener, removeEventListener } = this.node;
    this.node.addEventListener = (...given: Parameters<typeof addEventListener>) => (listeners++, addEventListener.apply(this.node, given));
    this.node.removeEventListener = (...given: Parameters<typeof removeEventListener>) => (listeners--, removeEventListener.apply(this.node, given));
  }

  /** Another kernel: JupyterLab disposes of the connection to the old one afterwards. */
  change(kernel: Kernel | null): void {
    this.sessionContext.kernelChanged.emit({ newValue: kernel });
    this.sessionContext.session.kernel = kernel!;
  }

  close(): void {
    this.isDisposed = true;
    this.disposed.emit();
    Signal.clearData(this);
  }
}

class Tracker {
  panels: Panel[] = [];
  widgetAdded = new Signal<this, Panel>(this);

  forEach(each: (panel: Panel) => void): void {
    this.panels.forEach(each);
  }

  opens(): Panel {
    const panel = new Panel();
    this.panels.push(panel);
    this.widgetAdded.emit(panel);
    return panel;
  }
}

const app = { serviceManager: { serverSettings: {}, sessions: { running: () => [] } } };

async function activated(): Promise<Tracker> {
  const tracker = new Tracker();
  tracker.opens(); // one is open before
  for (const plugin of [(await import("../../src/lab/insert-cells")).cells, (await import("../../src/lab/restore-record")).restoreRecord]) {
    void plugin.activate(app as never, tracker);
  }
  const { RunTracker } = await import("../../src/lab/run-tracker");
  const watch = new RunTracker(app as never, null, tracker as never, () => undefined);
  (watch as unknown as { poll: { dispose(): void } }).poll.dispose();
  return tracker;
}

beforeEach(() => {
  targets = listeners = 0;
  open = new Set();
  asked = [];
});

test("opening and closing twenty notebooks leaks no comm targets and no listeners", async () => {
  const tracker = await activated();
  const before = [targets, listeners];
  expect(before).toEqual([2, 4]);
  for (let each = 0; each < 20; each++) tracker.opens().close();
  expect([targets, listeners]).toEqual(before);
  for (const kernel of open) kernel.connectionStatusChanged.emit("connected");
  expect(asked).toEqual([[...open][0]]); // the one that is open
});

test("changing a notebook's kernel twenty times leaves nothing registered on the old kernels", async () => {
  const tracker = await activated();
  const [panel] = tracker.panels;
  for (let each = 0; each < 20; each++) panel!.change(new Kernel());
  expect(targets).toBe(2);
  panel!.change(null);
  expect(targets).toBe(0);
  panel!.change(new Kernel());
  panel!.close();
  panel!.change(new Kernel()); // told late
  expect([targets, listeners]).toEqual([0, 0]);
});

test("a closed notebook does not handle events of cards", async () => {
  const tracker = await activated();
  const [panel] = tracker.panels;
  const ask = (): boolean => panel!.node.dispatchEvent(new CustomEvent(INSERT, { cancelable: true, detail: ["a = 1"] }));
  expect([ask(), panel!.inserted]).toEqual([false, [1, "a = 1"]]);
  panel!.close();
  expect([ask(), panel!.inserted]).toEqual([true, [1, "a = 1"]]);
  panel!.node.dispatchEvent(new CustomEvent(RUN_ENDED, { detail: { run: "r", record: () => expect.fail("asked") } }));
});

test("the page with the run's cell claims cells from the kernel and inserts them", async () => {
  const tracker = await activated();
  const [panel] = tracker.panels;
  const { kernel } = panel!.sessionContext.session;
  const said: unknown[] = [];
  const comm = { send: (data: unknown) => said.push(data), close: () => said.push("closed"), onMsg: (_: unknown): void => undefined };
  kernel.opens("smolcell.exports.cells", comm, { cell: "c1", client: "another page" });
  expect(said).toEqual([]);
  kernel.opens("smolcell.exports.cells", comm, { cell: "another", client: "page" });
  expect(said.splice(0)).toEqual(["closed"]);
  kernel.opens("smolcell.exports.cells", comm, { cell: "c1", client: "page" });
  expect([said.splice(0), panel!.inserted]).toEqual([[{ type: "here" }], []]);
  comm.onMsg({ content: { data: { type: "cells", cells: ["a = 1", 5] } } });
  comm.onMsg({ content: { data: { type: "cells", cells: ["a = 1", "a"] } } });
  expect([said, panel!.inserted]).toEqual([[{ type: "refused" }, { type: "inserted" }], [1, "a = 1", "a"]]);
});
