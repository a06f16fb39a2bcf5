// The panel, drawn from what is told: which row is which, and what a row can do once more is known.

import { Signal } from "@lumino/signaling";
import { beforeAll, expect, test, vi } from "vitest";

import type { Job, Sandbox } from "../../src/lab/server";
import type { Run } from "../../src/lab/runs";

const RUN: Run = { run: "r1", session: "default", task: "Count.", state: "pending", step: 2, began: 5, since: 7, cell: "c1", client: "p1", widget: "w1", kernel: "k1" };
const BOX: Sandbox = { kind: "docker", name: "same", image: "", age: 65, memory: 2_000_000, kernel: "", gone: false, walls: [], state: "idle", ends: "" };

// What of JupyterLab needs a browser; the panel draws without it.
vi.mock("@jupyterlab/application", () => ({ ILayoutRestorer: null }));
vi.mock("@jupyterlab/apputils", () => ({ Dialog: null, ICommandPalette: null, showDialog: null, showErrorMessage: null }));
vi.mock("@jupyterlab/notebook", () => ({ INotebookTracker: null, NotebookActions: null }));
vi.mock("@jupyterlab/services", () => ({ ServerConnection: null }));
vi.mock("@jupyterlab/ui-components", () => ({ LabIcon: class {} }));

let AgentsPanel: typeof import("../../src/lab/panel").AgentsPanel;
let Widget: typeof import("@lumino/widgets").Widget;

beforeAll(async () => {
  vi.stubGlobal("DragEvent", class extends MouseEvent {}); // jsdom has none
  ({ Widget } = await import("@lumino/widgets"));
  ({ AgentsPanel } = await import("../../src/lab/panel"));
}, 60_000);

class FakeRuns {
  runs: Run[] = [];
  path = "";
  changed = new Signal<this, void>(this);
  pathOf = (): string => this.path;
  kernelOf = (): string => "";
  notebookOf = (): string => "";
}

const panels: InstanceType<typeof AgentsPanel>[] = [];

async function shown(told: FakeRuns, sandboxes: Sandbox[], jobs: Job[] = []): Promise<HTMLElement> {
  const panel = new AgentsPanel(told as never, { sandboxes: async () => sandboxes, jobs: async () => jobs } as never);
  Widget.attach(panel, document.body);
  panels.push(panel);
  await panel["refresh"]();
  return panel.node;
}

test("a run whose notebook is found later can be shown then", async () => {
  const told = new FakeRuns();
  told.runs = [RUN];
  const node = await shown(told, []);
  const show = (): HTMLButtonElement => node.querySelector<HTMLButtonElement>(".smolcell-panel-show")!;
  expect(show().disabled).toBe(true);
  told.path = "a/work.ipynb";
  told.changed.emit();
  expect([show().disabled, show().title]).toEqual([false, "a/work.ipynb"]);
  const before = show();
  told.changed.emit();
  expect(show()).toBe(before); // nothing new: the same node, so that a click under way counts
});

const text = (row: Element, part: string): string | null => row.querySelector(`.smolcell-panel-${part}`)!.textContent;

test("sandboxes are listed if the jobs cannot be loaded, and vice versa", async () => {
  const failing = async (): Promise<never> => Promise.reject(new Error("500"));
  const job: Job = { folder: "/x/many", told: "1 of 2", running: true, waiting: [] };
  for (const [server, title] of [
    [{ sandboxes: async () => [BOX], jobs: failing }, "docker \u00b7 same"],
    [{ sandboxes: failing, jobs: async () => [job] }, "many"],
  ] as const) {
    const panel = new AgentsPanel(new FakeRuns() as never, server as never);
    Widget.attach(panel, document.body);
    panels.push(panel);
    await expect(panel["refresh"]()).rejects.toThrow("500");
    expect(text(panel.node.querySelector(".smolcell-panel-row")!, "title")).toBe(title);
  }
});

test("sandboxes of one name and two kinds are two, each with its state, age, memory and when its provider ends it", async () => {
  const node = await shown(new FakeRuns(), [BOX, { ...BOX, kind: "e2b", memory: null, state: "paused", ends: "no time-out" }]);
  const rows = [...node.querySelectorAll(".smolcell-panel-row")].map((row) => [text(row, "title"), text(row, "about")]);
  expect(rows).toEqual([
    ["docker \u00b7 same", "State: idle\u00a0\u00b7 Age: 1 min\u00a0\u00b7 Memory: 2.00 MB"],
    ["e2b \u00b7 same", "State: paused\u00a0\u00b7 Age: 1 min\u00a0\u00b7 Lifetime: no time-out"],
  ]);
});

test("a run or sandbox of another process says whose it is, and no time if its start is not known", async () => {
  const told = new FakeRuns();
  told.runs = [{ ...RUN, since: 0, began: 0, process: "4711:99" }];
  const node = await shown(told, [{ ...BOX, kernel: "4712:99" }]);
  const rows = [...node.querySelectorAll(".smolcell-panel-row")].map((row) => text(row, "about"));
  expect(rows[0]).toMatch(/^State: [^\d]*(step \d+ )?[^\d]*\u00a0\u00b7 Owner: process 4711/);
  expect(rows[1]).toMatch(/Owner: process 4712$/);
  told.path = "a/work.ipynb";
  told.changed.emit();
  expect(text(node.querySelector(".smolcell-panel-row")!, "about")).toMatch(/Notebook: work.ipynb/);
});

test("details of a sandbox are text, and redrawn only if they changed", async () => {
  const sandboxes = [{ ...BOX, state: "<img src=x>" }];
  const node = await shown(new FakeRuns(), sandboxes);
  const about = (): ChildNode => node.querySelector(".smolcell-panel-about")!.firstChild!;
  expect([about().textContent, node.querySelector("img")]).toEqual(["State: <img src=x>", null]);
  const before = about();
  await panels.at(-1)!["refresh"]();
  expect(about()).toBe(before);
  sandboxes[0] = { ...BOX, state: "running step 2" };
  await panels.at(-1)!["refresh"]();
  expect(about().textContent).toBe("State: running step 2");
});

test("jobs show their progress and waiting programs, and can be reviewed when they are over", async () => {
  const group = { sha256: "a", text: "print('<b>')", runs: 4, findings: "" };
  const job: Job = { folder: "/tmp/map tasks", told: "12 of 20", running: false, waiting: [group, { ...group, sha256: "b", runs: 1, findings: "file: opens" }] };
  const node = await shown(new FakeRuns(), [], [job, { ...job, folder: "/tmp/other", running: true, waiting: [group] }]);
  const rows = [...node.querySelectorAll(".smolcell-panel-row")].map((row) => [text(row, "title"), text(row, "about")]);
  expect(rows).toEqual([
    ["print('<b>')", "Waiting: 4 runs with exactly this\u00a0\u00b7 Job: map tasks"],
    ["print('<b>')", "Waiting: 1 run\u00a0\u00b7 Findings: file: opens\u00a0\u00b7 Job: map tasks"],
    ["print('<b>')", "Waiting: 4 runs with exactly this\u00a0\u00b7 Job: other"],
    ["map tasks", "State: waits\u00a0\u00b7 Progress: 12 of 20\u00a0\u00b7 Folder: /tmp/map tasks"],
    ["other", "State: running\u00a0\u00b7 Progress: 12 of 20\u00a0\u00b7 Folder: /tmp/other"],
  ]);
  const review = [...node.querySelectorAll<HTMLButtonElement>(".smolcell-panel-show")];
  expect(review.map(({ disabled, title }) => [disabled, title])).toEqual([
    [false, "Asks in the notebook: %agent approvals '/tmp/map tasks'"],
    [false, "Asks in the notebook: %agent approvals '/tmp/map tasks'"],
    [true, "The job still runs"],
  ]);
});
