// What is told of steps that wait out of sight, how it is taken back, and when the browser is asked whether it may notify.

import { Signal } from "@lumino/signaling";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Run } from "../../src/lab/runs";

interface Action {
  label: string;
  callback: (event: MouseEvent) => void;
}
interface Shown {
  message: string;
  actions: Action[];
}

const toasts = new Map<string, Shown>();
let made = 0;
const shows = (message: string, { actions = [] }: { actions?: Action[] } = {}): string => {
  toasts.set(`t${++made}`, { message, actions });
  return `t${made}`;
};
vi.mock("@jupyterlab/apputils", () => ({
  ICommandPalette: null,
  Notification: {
    warning: (...given: [string]) => shows(...given),
    info: (...given: [string]) => shows(...given),
    success: (...given: [string]) => shows(...given),
    error: (...given: [string]) => shows(...given),
    dismiss: (id: string) => toasts.delete(id),
    update: ({ id, message, actions }: Shown & { id: string }) => toasts.set(id, { message, actions }),
  },
}));
vi.mock("@jupyterlab/settingregistry", () => ({ ISettingRegistry: null }));

const RUN = { run: "r1", step: 1, state: "pending", task: "Count.", kernel: "k1" } as Run;
const TEXT = "A step waits for your approval in a.ipynb: Count.";

class Underway {
  runs: Run[] = [];
  near = new Set<string>();
  changed = new Signal<this, void>(this);
  shown: string[] = [];

  pathOf = (): string => "x/a.ipynb";
  isInSight = ({ run }: Run): boolean => this.near.has(run);
  show = async ({ run }: Run): Promise<void> => void this.shown.push(run);

  now(...runs: Run[]): void {
    this.runs = runs;
    this.changed.emit();
  }
}

class Browser {
  static permission: NotificationPermission;
  static answer: NotificationPermission;
  static asked = 0;
  static open: Browser[] = [];
  onclick: () => void = () => undefined;

  constructor(
    readonly title: string,
    readonly options: { body: string; tag: string },
  ) {
    Browser.open.push(this);
  }

  static async requestPermission(): Promise<void> {
    Browser.asked++;
    Browser.permission = Browser.answer;
  }

  close(): void {
    Browser.open = Browser.open.filter((one) => one !== this);
  }
}

class Settings {
  changed = new Signal<this, void>(this);
  values: Record<string, unknown> = { inPage: true, tabTitle: true, desktop: "ask" };

  get(name: string): { composite: unknown } {
    return { composite: this.values[name] };
  }

  async set(name: string, value: unknown): Promise<void> {
    this.values[name] = value;
    this.changed.emit();
  }
}

type Command = { execute(): Promise<void>; isToggled(): boolean };

class Lab {
  activeRuns = new Underway();
  settings = new Settings();
  commands: Record<string, Command> = {};

  static async opened(): Promise<Lab> {
    const lab = new Lab();
    const { notify } = await import("../../src/lab/notify");
    const commands = { addCommand: (id: string, options: Command) => (lab.commands[id] = options), notifyCommandChanged: () => undefined };
    const app = { restored: Promise.resolve(), shell: {}, commands };
    const palette = { addItem: () => undefined };
    void notify.activate(app as never, lab.activeRuns as never, { load: () => Promise.resolve(lab.settings) } as never, palette as never);
    await settled();
    return lab;
  }

  get command(): Command {
    return this.commands["smolcell:notify-on-desktop"]!;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const said = (): [string, string[]][] => [...toasts.values()].map(({ message, actions }) => [message, actions.map(({ label }) => label)]);
const press = (label: string): boolean => {
  const event = new MouseEvent("click", { cancelable: true });
  [...toasts.values()].flatMap(({ actions }) => actions).find((action) => action.label === label)!.callback(event);
  return event.defaultPrevented;
};
function hidden(is: boolean): void {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (is ? "hidden" : "visible") });
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  toasts.clear();
  Object.assign(Browser, { permission: "default", answer: "granted", asked: 0, open: [] });
  vi.stubGlobal("Notification", Browser);
  vi.stubGlobal("isSecureContext", true);
  document.title = "a.ipynb - JupyterLab";
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, "visibilityState");
});

test("a notification is dismissed when a card's button moves below it", async () => {
  const lab = await Lab.opened();
  vi.useFakeTimers();
  const card = document.body.appendChild(document.createElement("div"));
  card.className = "smolcell-card";
  const place = { right: 100, bottom: 100, width: 50 };
  card.appendChild(document.createElement("button")).getBoundingClientRect = () => place as DOMRect;
  try {
    lab.activeRuns.now(RUN);
    vi.advanceTimersByTime(1000);
    expect(said().map(([text]) => text)).toEqual([TEXT]);
    Object.assign(place, { right: window.innerWidth - 20, bottom: window.innerHeight - 20 });
    vi.advanceTimersByTime(300);
    expect(said()).toEqual([]);
  } finally {
    lab.activeRuns.now();
    card.remove();
    vi.useRealTimers();
  }
});

test("the title counts waiting steps that are out of sight, and is restored", async () => {
  const { activeRuns } = await Lab.opened();
  activeRuns.now(RUN, { ...RUN, run: "r2" }, { ...RUN, run: "r3", state: "running" });
  expect(document.title).toBe("(2 waiting) a.ipynb - JupyterLab");
  activeRuns.near.add("r2");
  activeRuns.now(...activeRuns.runs);
  expect(document.title).toBe("(1 waiting) a.ipynb - JupyterLab");
  activeRuns.now();
  expect(document.title).toBe("a.ipynb - JupyterLab");
});

test("a title that the application sets meanwhile is marked, and restored later", async () => {
  const { activeRuns } = await Lab.opened();
  activeRuns.now(RUN);
  document.title = "b.ipynb - JupyterLab";
  await settled();
  expect(document.title).toBe("(1 waiting) b.ipynb - JupyterLab");
  document.querySelector("title")!.remove();
  await settled();
  expect(document.title).toBe("(1 waiting)");
  document.title = `* ${document.title} c.ipynb`; // another mark, before ours
  await settled();
  expect(document.title).toBe("* (1 waiting) c.ipynb");
  activeRuns.now();
  document.title = "d.ipynb";
  await settled();
  expect(document.title).toBe("d.ipynb");
});

test("the title is not changed if the setting is off", async () => {
  const { activeRuns, settings } = await Lab.opened();
  activeRuns.now(RUN);
  await settings.set("tabTitle", false);
  expect(document.title).toBe("a.ipynb - JupyterLab");
});

test("permission is requested only by a click, on the toast or in the palette", async () => {
  const lab = await Lab.opened();
  hidden(true);
  lab.activeRuns.now(RUN);
  await lab.settings.set("desktop", "on"); // in the settings editor, or on another machine
  hidden(false);
  await settled();
  expect([Browser.asked, said()]).toEqual([0, [[TEXT, ["Show", "Tell Me on the Desktop"]]]]);
  expect(press("Tell Me on the Desktop")).toBe(true); // the toast stays
  await settled();
  const done = "You will be notified on the desktop when a step waits for approval and its tab is hidden.";
  expect([Browser.asked, said(), lab.settings.values["desktop"]]).toEqual([1, [[TEXT, ["Show"]], [done, []]], "on"]);
  expect(lab.command.isToggled()).toBe(true);
  await lab.command.execute();
  expect([lab.settings.values["desktop"], lab.command.isToggled(), Browser.asked]).toEqual(["off", false, 1]);
});

test.each([
  ["denied", true, "Your browser blocks notifications from localhost:3000. Allow them in its settings for this site, then choose this again."],
  ["granted", false, "Your browser shows notifications only for pages that are served over https or from this machine."],
] as const)("what stands in the way is said (%s, secure: %s)", async (answer, secure, why) => {
  Browser.answer = answer;
  vi.stubGlobal("isSecureContext", secure);
  const lab = await Lab.opened();
  await lab.command.execute();
  expect([said(), lab.settings.values["desktop"]]).toEqual([[[why, []]], "ask"]);
  lab.activeRuns.now(RUN);
  expect(said()[1]).toEqual([TEXT, ["Show"]]); // nothing is offered that cannot be had
});

test("a step that starts to wait out of sight is shown once on the desktop, and a click leads to it", async () => {
  Browser.permission = "granted";
  const lab = await Lab.opened();
  await lab.settings.set("desktop", "on");
  const focus = vi.spyOn(window, "focus").mockImplementation(() => undefined);
  lab.activeRuns.now(RUN);
  lab.activeRuns.now(RUN);
  expect(Browser.open.map(({ title, options }) => [title, options])).toEqual([["A step waits for your approval", { body: TEXT, tag: "smolcell-r1" }]]);
  Browser.open[0]!.onclick();
  expect([focus.mock.calls.length, lab.activeRuns.shown, Browser.open]).toEqual([1, ["r1"], []]);
  lab.activeRuns.now({ ...RUN, step: 2 });
  expect(Browser.open).toHaveLength(1);
  lab.activeRuns.now();
  expect([Browser.open, said()]).toEqual([[], []]);
});

test("a step that was visible before the user changed tabs is not shown on the desktop", async () => {
  Browser.permission = "granted";
  const { activeRuns, settings } = await Lab.opened();
  await settings.set("desktop", "on");
  activeRuns.near.add("r1");
  activeRuns.now(RUN);
  activeRuns.near.clear();
  hidden(true);
  expect([Browser.open, said()]).toEqual([[], [[TEXT, ["Show"]]]]);
  activeRuns.now({ ...RUN, step: 2 });
  expect(Browser.open).toHaveLength(1);
});

test("desktop notifications are offered once, on return to a tab with a waiting step, and can be declined", async () => {
  const { activeRuns, settings } = await Lab.opened();
  const missed = (): void => {
    hidden(true);
    activeRuns.now(RUN);
    activeRuns.near.add("r1");
    hidden(false);
  };
  missed();
  expect(said()).toEqual([["A step waited for you while this tab was hidden.", ["Tell Me on the Desktop", "Don\u2019t Ask Again"]]]);
  press("Don\u2019t Ask Again");
  toasts.clear();
  activeRuns.near.clear();
  activeRuns.now();
  missed();
  expect([said(), settings.values["desktop"], Browser.asked]).toEqual([[], "off", 0]);
});
