// The notebook is saved when a step waits: once it succeeded it is done, and what goes on failing is said once.

import { Signal } from "@lumino/signaling";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const said: { text: string; save: () => void }[] = [];
vi.mock("@jupyterlab/apputils", () => ({
  Notification: { warning: (text: string, { actions }: { actions: { callback: () => void }[] }) => said.push({ text, save: actions[0]!.callback }) },
}));
vi.mock("../../src/lab/run-card", () => ({ findCell: ({ cell }: { cell: unknown }) => cell, hasCard: () => true }));

const THEN = "2026-01-01T00:00:00Z";
const UNREACHABLE =
  "a.ipynb could not be saved while a step waits in it: the server does not answer. The step still waits. Save the notebook when the server answers again.";

class Context {
  path = "x/a.ipynb";
  contentsModel = { writable: true, last_modified: THEN };
  model = { dirty: true, readOnly: false, collaborative: false };
  saveState = new Signal<this, string>(this);
  saves = 0;
  broken = false;

  save = async (): Promise<void> => {
    this.saves++;
    this.saveState.emit(this.broken ? "failed" : "completed");
    if (this.broken) throw new Error("no space left");
  };
}

class Server {
  asked = 0;
  down = false;
  file = { writable: true, last_modified: THEN };

  get = async (): Promise<unknown> => {
    this.asked++;
    if (this.down) throw new Error("the server does not answer");
    return this.file;
  };
}

interface Scene {
  context: Context;
  server: Server;
  panel: { isDisposed: boolean };
  /** A step waits; it is answered after these milliseconds, or not in this test. */
  step(step: number, until?: number): Promise<void>;
}

async function scene(): Promise<Scene> {
  const { Autosaver } = await import("../../src/lab/autosave");
  const [context, server] = [new Context(), new Server()];
  const panel = { isDisposed: false, context, cell: { model: { type: "markdown" } } };
  const autosaver = new Autosaver(server as never);
  const step = async (number: number, until = Number.POSITIVE_INFINITY): Promise<void> => {
    const began = Date.now();
    void autosaver.saveWithCard(panel as never, { run: "r1", step: number } as never, () => Date.now() - began < until);
    await vi.advanceTimersByTimeAsync(60_000);
  };
  return { context, server, panel, step };
}

beforeEach(() => {
  vi.useFakeTimers();
  said.length = 0;
});
afterEach(() => void vi.useRealTimers());

test("a notebook is saved once for each step", async () => {
  const { context, step } = await scene();
  await step(1);
  await step(1);
  expect(context.saves).toBe(1);
  await step(2);
  expect([context.saves, said]).toEqual([2, []]);
});

test("a failed save is retried until it succeeds", async () => {
  const { context, server, step } = await scene();
  server.down = true;
  setTimeout(() => (server.down = false), 4000);
  await step(1);
  expect([context.saves, server.asked, said]).toEqual([1, 3, []]);
});

test("a server that keeps failing causes one notification until a save succeeds", async () => {
  const { context, server, step } = await scene();
  server.down = true;
  await step(1);
  await step(1);
  await step(2);
  expect([context.saves, server.asked, said.map(({ text }) => text)]).toEqual([0, 12, [UNREACHABLE]]);
  server.down = false;
  await step(2);
  server.down = true;
  await step(3);
  expect(said.map(({ text }) => text)).toEqual([UNREACHABLE, UNREACHABLE]);
  said[1]!.save();
  expect(context.saves).toBe(2);
});

test("after JupyterLab's error dialog, saving is not retried until a save succeeds", async () => {
  const { context, step } = await scene();
  context.broken = true;
  await step(1);
  await step(1);
  await step(2);
  expect([context.saves, said]).toEqual([1, []]);
  context.broken = false;
  await context.save(); // the person's, or the automatic one
  await step(2);
  expect(context.saves).toBe(3);
});

test("a step that was answered meanwhile, or a notebook that was closed, is not saved", async () => {
  const { context, server, panel, step } = await scene();
  server.down = true;
  await step(1, 1000);
  panel.isDisposed = true;
  await step(2);
  expect([context.saves, server.asked, said]).toEqual([0, 1, []]);
});

test.each([
  ["that may not be written", (one: Scene) => (one.server.file.writable = false)],
  ["that changed meanwhile", (one: Scene) => (one.server.file.last_modified = "2026-01-02T00:00:00Z")],
  ["of several people", (one: Scene) => (one.context.model.collaborative = true)],
  ["without changes", (one: Scene) => (one.context.model.dirty = false)],
])("a file %s is left alone, and nothing is said", async (_, make) => {
  const one = await scene();
  make(one);
  await one.step(1);
  expect([one.context.saves, said]).toEqual([0, []]);
});
