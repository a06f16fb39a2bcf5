// Decides which notifications are shown for steps that wait out of sight, and for how long.

import { Notification as Toast } from "@jupyterlab/apputils";

import type { IActiveRuns } from "./active-runs";
import { fileName, type Run } from "./runs";

/** The user's settings. */
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
  /** Whether the browser's tab was hidden when the notice was shown. */
  hidden: boolean;
}

const DESKTOP = "Tell Me on the Desktop";
const SHOWN_MS = 10_000;
const CHECK_MS = 250;

/** Whether a card's button is in the corner for notifications. If so, none is shown: the tab's title and the status bar suffice. */
function isCornerTaken(): boolean {
  const [left, top] = [window.innerWidth - 420, window.innerHeight - 260];
  return [...document.querySelectorAll(".smolcell-card button")].some((node) => {
    const { right, bottom, width } = node.getBoundingClientRect();
    return width > 0 && right > left && bottom > top && bottom < window.innerHeight;
  });
}

/** Dismisses a notification if a card's button moves below it. */
function dismissIfCovering(toast: string): void {
  const end = performance.now() + SHOWN_MS;
  const timer = setInterval(() => {
    const taken = isCornerTaken();
    if (taken) Toast.dismiss(toast);
    if (taken || performance.now() > end) clearInterval(timer);
  }, CHECK_MS);
}

export class Notifier {
  private readonly title = new TabTitle();
  private readonly shown = new Map<string, ShownNotice>();
  private seen = new Set<string>(); // waiting steps that have been visible
  private offered = false;

  /**
   * @param banner - shows a notification on the desktop.
   * @param askDesktop - asks the user for permission to do so; called only after a click of theirs.
   */
  constructor(
    private readonly activeRuns: IActiveRuns,
    private readonly preferences: NotificationSettings,
    private readonly banner: (run: Run, text: string, show: () => void) => { close(): void } | null,
    private readonly askDesktop: () => Promise<void>,
  ) {
    activeRuns.changed.connect(this.update, this);
  }

  /** Shows notifications for steps that wait out of sight, and dismisses those of answered or visible steps. */
  update(): void {
    const waiting = this.activeRuns.runs.filter(({ state }) => state === "pending");
    const visible = waiting.filter((run) => this.activeRuns.isInSight(run));
    const hidden = waiting.filter((run) => !visible.includes(run));
    this.title.set(this.preferences.tabTitle ? hidden.length : 0);
    this.seen = new Set(waiting.map(keyOf).filter((key) => this.seen.has(key) || visible.some((run) => keyOf(run) === key)));
    const outdated = [...this.shown].filter(([run]) => !hidden.some((one) => one.run === run && one.step === this.shown.get(run)?.step));
    for (const [run] of outdated) this.dismiss(run);
    for (const run of hidden) if (!this.shown.has(run.run)) this.notify(run);
    if (outdated.some(([run, notice]) => notice.hidden && visible.some((one) => one.run === run))) this.offer();
  }

  private notify(run: Run): void {
    const notebook = fileName(this.activeRuns.pathOf(run));
    const text = `A step waits for your approval${notebook === "" ? "" : ` in ${notebook}`}: ${run.task}`;
    const show = (): void => void this.activeRuns.show(run);
    for (const [other, { toast }] of this.shown) if (toast !== "" && this.isSameNotebook(run, other)) Toast.dismiss(toast);
    const inPage = this.preferences.inPage && !isCornerTaken();
    const toast = inPage ? Toast.warning(text, { autoClose: SHOWN_MS, actions: this.actions(run) }) : "";
    if (toast !== "") dismissIfCovering(toast);
    // No banner if the user has already seen the step before they turned to another tab.
    const banner = this.preferences.onDesktop && !this.seen.has(keyOf(run)) ? this.banner(run, text, show) : null;
    this.shown.set(run.run, { step: run.step, text, toast, banner, hidden: document.visibilityState === "hidden" });
  }

  /** Whether both runs are of the same notebook. */
  private isSameNotebook(run: Run, other: string): boolean {
    const found = this.activeRuns.runs.find((one) => one.run === other);
    return found !== undefined && this.activeRuns.pathOf(found) === this.activeRuns.pathOf(run);
  }

  private dismiss(run: string): void {
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
        void this.askDesktop().then(() => this.withdrawOffer());
      },
    };
    return this.preferences.offersDesktop ? [show, desktop] : [show];
  }

  /** Removes the offer of desktop notifications from the toasts once the user has decided. */
  private withdrawOffer(): void {
    if (this.preferences.offersDesktop) return;
    for (const run of this.activeRuns.runs) {
      const notice = this.shown.get(run.run);
      if (notice?.toast) Toast.update({ id: notice.toast, message: notice.text, actions: this.actions(run) });
    }
  }

  /** Offers desktop notifications once, when the user returns to a tab in which a step has waited. */
  private offer(): void {
    if (this.offered || !this.preferences.offersDesktop || !this.preferences.inPage || isCornerTaken()) return;
    this.offered = true;
    const actions: Toast.IAction[] = [
      { label: DESKTOP, caption: "Your browser asks you for permission", callback: () => void this.askDesktop(), displayType: "accent" },
      { label: "Don\u2019t Ask Again", callback: () => void this.preferences.choose("off") },
    ];
    dismissIfCovering(Toast.info("A step waited for you while this tab was hidden.", { autoClose: SHOWN_MS, actions }));
  }
}

function keyOf({ run, step }: Run): string {
  return `${run} ${step}`;
}

// --- the browser tab's title ---------------------------------------------------------------------------------------------
//
// Shows the number of waiting steps at the start of the browser tab's title, which is visible while the tab is hidden.

const MARK = /\(\d+ waiting\) ?/g;

class TabTitle {
  private mark = "";
  // JupyterLab sets the title whenever a document is opened, renamed or left.
  private readonly observer = new MutationObserver(() => this.write());

  /** Shows the number of waiting steps; 0 restores the title. */
  set(waiting: number): void {
    const mark = waiting === 0 ? "" : `(${waiting} waiting)`;
    if (mark === this.mark) return;
    this.mark = mark;
    if (mark === "") this.observer.disconnect();
    else this.observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    this.write();
  }

  /** Writes the mark. If other code puts its own mark before this one, both stay: two that insist on being first would loop forever. */
  private write(): void {
    const now = document.title;
    if ([...now.matchAll(MARK)].map(([mark]) => mark.trim()).join() === this.mark) return;
    document.title = `${this.mark} ${now.replace(MARK, "")}`.trim();
  }
}
