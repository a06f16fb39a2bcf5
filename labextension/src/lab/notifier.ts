// What is told of the steps that wait out of sight, and for how long.

import { Notification as Toast } from "@jupyterlab/apputils";

import { type IActiveRuns, fileName, type Run } from "./active-runs";

/** What the person wants to be told by. */
interface NotificationSettings {
  readonly inPage: boolean;
  readonly tabTitle: boolean;
  readonly onDesktop: boolean;
  readonly offersDesktop: boolean;
  choose(desktop: "off"): Promise<void>;
}

interface ShownNotice {
  step: number;
  text: string;
  toast: string;
  banner: { close(): void } | null;
  /** Whether the browser's tab was hidden then. */
  hidden: boolean;
}

const DESKTOP = "Tell Me on the Desktop";
const SHOWN = 10_000; // milliseconds
const LOOKED = 250; // milliseconds between two looks

/** Is there a button of a card where notifications are shown? Then none is: the browser tab's title and the status bar tell. */
function cornerIsTaken(): boolean {
  const [left, top] = [window.innerWidth - 420, window.innerHeight - 260];
  return [...document.querySelectorAll(".smolcell-card button")].some((node) => {
    const { right, bottom, width } = node.getBoundingClientRect();
    return width > 0 && right > left && bottom > top && bottom < window.innerHeight;
  });
}

/** Takes a notification back if a card's button comes below it meanwhile. */
function leaveTheCorner(toast: string): void {
  const end = performance.now() + SHOWN;
  const timer = setInterval(() => {
    const taken = cornerIsTaken();
    if (taken) Toast.dismiss(toast);
    if (taken || performance.now() > end) clearInterval(timer);
  }, LOOKED);
}

export class Notifier {
  private readonly title = new TabTitle();
  private readonly shown = new Map<string, ShownNotice>();
  private seen = new Set<string>(); // steps that wait, and have been in sight
  private offered = false;

  /**
   * @param banner - shows a notification on the desktop.
   * @param askDesktop - asks the person for permission to do so; called by a click of theirs, and by nothing else.
   */
  constructor(
    private readonly activeRuns: IActiveRuns,
    private readonly preferences: NotificationSettings,
    private readonly banner: (run: Run, text: string, show: () => void) => { close(): void } | null,
    private readonly askDesktop: () => Promise<void>,
  ) {
    activeRuns.changed.connect(this.look, this);
  }

  /** Tells of what waits out of sight now, and takes back what is answered, or in sight. */
  look(): void {
    const waiting = this.activeRuns.runs.filter(({ state }) => state === "pending");
    const near = waiting.filter((run) => this.activeRuns.isInSight(run));
    const away = waiting.filter((run) => !near.includes(run));
    this.title.set(this.preferences.tabTitle ? away.length : 0);
    this.seen = new Set(waiting.map(keyOf).filter((key) => this.seen.has(key) || near.some((run) => keyOf(run) === key)));
    const found = [...this.shown].filter(([run]) => !away.some((one) => one.run === run && one.step === this.shown.get(run)?.step));
    for (const [run] of found) this.forget(run);
    for (const run of away) if (!this.shown.has(run.run)) this.tell(run);
    if (found.some(([run, { hidden }]) => hidden && near.some((one) => one.run === run))) this.offer();
  }

  private tell(run: Run): void {
    const where = fileName(this.activeRuns.pathOf(run));
    const text = `A step waits for your approval${where === "" ? "" : ` in ${where}`}: ${run.task}`;
    const show = (): void => void this.activeRuns.show(run);
    for (const [other, { toast }] of this.shown) if (toast !== "" && this.isBeside(run, other)) Toast.dismiss(toast);
    const inPage = this.preferences.inPage && !cornerIsTaken();
    const toast = inPage ? Toast.warning(text, { autoClose: SHOWN, actions: this.actions(run) }) : "";
    if (toast !== "") leaveTheCorner(toast);
    // Who has seen the step and turned to another tab is not called back at once.
    const banner = this.preferences.onDesktop && !this.seen.has(keyOf(run)) ? this.banner(run, text, show) : null;
    this.shown.set(run.run, { step: run.step, text, toast, banner, hidden: document.visibilityState === "hidden" });
  }

  /** Are both runs of one notebook? */
  private isBeside(run: Run, other: string): boolean {
    const found = this.activeRuns.runs.find((one) => one.run === other);
    return found !== undefined && this.activeRuns.pathOf(found) === this.activeRuns.pathOf(run);
  }

  private forget(run: string): void {
    const known = this.shown.get(run);
    this.shown.delete(run);
    if (known?.toast) Toast.dismiss(known.toast);
    known?.banner?.close();
  }

  private actions(run: Run): Toast.IAction[] {
    const show: Toast.IAction = { label: "Show", callback: () => void this.activeRuns.show(run), displayType: "accent" };
    const desktop: Toast.IAction = {
      label: DESKTOP,
      caption: "Your browser asks you for permission",
      callback: (event) => {
        event.preventDefault(); // the toast stays: the step still waits
        void this.askDesktop().then(() => this.withdraw());
      },
    };
    return this.preferences.offersDesktop ? [show, desktop] : [show];
  }

  /** Offers no more what was decided. */
  private withdraw(): void {
    if (this.preferences.offersDesktop) return;
    for (const run of this.activeRuns.runs) {
      const told = this.shown.get(run.run);
      if (told?.toast) Toast.update({ id: told.toast, message: told.text, actions: this.actions(run) });
    }
  }

  /** Once, to a person who comes back to a tab in which a step has waited. */
  private offer(): void {
    if (this.offered || !this.preferences.offersDesktop || !this.preferences.inPage || cornerIsTaken()) return;
    this.offered = true;
    const actions: Toast.IAction[] = [
      { label: DESKTOP, caption: "Your browser asks you for permission", callback: () => void this.askDesktop(), displayType: "accent" },
      { label: "Not Again", callback: () => void this.preferences.choose("off") },
    ];
    leaveTheCorner(Toast.info("A step waited for you while this tab was hidden.", { autoClose: SHOWN, actions }));
  }
}

function keyOf({ run, step }: Run): string {
  return `${run} ${step}`;
}

// --- the browser tab's title ---------------------------------------------------------------------------------------------
//
// How many steps wait, at the head of the browser tab's title: what a person sees of a tab that is hidden.

const MARK = /\(\d+ waiting\) ?/g;

class TabTitle {
  private mark = "";
  // The title is the application's, which sets it anew when a document is opened, renamed or left.
  private readonly observer = new MutationObserver(() => this.write());

  /** Says that so many wait; 0 gives the title back. */
  set(waiting: number): void {
    const mark = waiting === 0 ? "" : `(${waiting} waiting)`;
    if (mark === this.mark) return;
    this.mark = mark;
    if (mark === "") this.observer.disconnect();
    else this.observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    this.write();
  }

  /** Where others set their own marks before it, it is left there: two that both insist on being first would never end. */
  private write(): void {
    const now = document.title;
    if ([...now.matchAll(MARK)].map(([mark]) => mark.trim()).join() === this.mark) return;
    document.title = `${this.mark} ${now.replace(MARK, "")}`.trim();
  }
}
