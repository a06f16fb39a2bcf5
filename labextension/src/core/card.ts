// A run's card. Draws the state of the feed and changes only what differs. It takes the focus only if the focus is free
// (focus.ts). It scrolls the page only for a user who decides step after step on this card and has not scrolled away: to the
// next step, its output and the answer.

import { Announcer } from "./announce";
import { byPerson, choiceOf, isCardKey, SETTLE_MS, takesText } from "./decision-input";
import { CardFocus, isFree, ranByKey } from "./focus";
import { forwardPictures, type Picture, type Place } from "./chart";
import { releaseHeights } from "./held";
import type { Back, StepActions, Reply } from "./controls";
import { button, type Child, h, Slot } from "./dom";
import { ExportPart, RecordPart } from "./export";
import { FollowUpPart, insertCell, showForCopy } from "./follow-up";
import type { Feed, Pending } from "./feed";
import type { RunState } from "./fold";
import { answerPart, footParts, headParts, taskParts } from "./head";
import { type Library, LibraryPart } from "./library";
import { FixPart } from "./fix";
import { ModelPart } from "./model";
import { StepList } from "./step-list";
import { VisibilityTracker } from "./visibility";
import type { StepView } from "./step";
import { readable, seconds } from "./text";

/** Requests of a card that the kernel answers with `Feed.reply`. */
export type Question = "models" | "model" | "replacement" | "goto";

const REPLY_TIMEOUT_MS = 10_000; // after this the card says that the kernel is busy or gone

/** The messages that a card sends. */
export interface Post {
  answer(pending: Pending, reply: Reply): string;
  stop(run: string): void;
  export(run: string): string;
  record(run: string): string;
  request(kind: Question, run: string, choice?: string): string;
  library(name: Library): void;
  picture(picture: Place & Picture): void;
}

export class Card implements StepActions {
  readonly el = h("div", "card");
  private readonly task = new Slot(h("div", "task-part"));
  private readonly head = new Slot(h("div", "head-parts"));
  private readonly stopButton = button("Stop run", "stop", () => this.stop());
  // Hides the saved transcript of this run while the card is on the page: both show the same.
  private readonly rule = new Slot(document.createElement("style"));
  private readonly list: StepList;
  private readonly notices = new Slot(h("div", "notices"));
  private readonly progress = h("div", "progress");
  private readonly now = h("div", "now", this.progress, this.stopButton);
  private readonly announcer = new Announcer();
  private readonly answered = new Slot(h("div", "answer"));
  private readonly foot = new Slot(h("div", "foot"));
  private readonly record: RecordPart;
  private readonly libraries: LibraryPart;
  private readonly exported = new ExportPart(() => this.post.export(this.feed.state.run));
  private readonly model = new ModelPart((kind, choice) => this.post.request(kind, this.feed.state.run, choice));
  private readonly fix = new FixPart(() => this.post.request("replacement", this.feed.state.run));
  private readonly followUp = new FollowUpPart();
  private readonly visibility: VisibilityTracker;
  private readonly cardFocus: CardFocus;
  private readonly requests = new Map<string, (content: Record<string, unknown>) => void>();
  private phase = "";
  private since = performance.now();
  private stopping = false;
  private over = false;
  private showing = false;
  private scrolled = false; // by the user since the last decision

  constructor(
    private readonly feed: Feed,
    private readonly post: Post,
    signal: AbortSignal,
  ) {
    this.el.tabIndex = 0;
    this.el.setAttribute("role", "region");
    const head = h("div", "head", h("div", "head-text", this.task.el, this.head.el, this.model.el));
    this.list = new StepList(this);
    this.el.append(this.rule.el, head, this.list.el, this.notices.el, this.now, this.answered.el, this.fix.el, this.followUp.el, this.foot.el, this.exported.el, this.announcer.el);
    this.visibility = new VisibilityTracker(this.el, () => this.arm(), signal);
    this.cardFocus = new CardFocus(this.el, signal);
    this.record = new RecordPart(this.el, () => this.post.record(this.feed.state.run), signal);
    this.libraries = new LibraryPart(this.el, post.library, signal);
    forwardPictures(this.el, post.picture, signal);
    this.listen(signal);
    this.update();
  }

  answer(pending: Pending, reply: Reply): string {
    this.cardFocus.keep(); // the button that was pressed will be removed
    this.scrolled = false;
    return this.post.answer(pending, reply);
  }

  clickCounts(): boolean {
    return this.visibility.clickCounts();
  }

  readonly back: Back = {
    goBack: (step, report) => this.goBack(step, report),
    runCell: (line, byKey) => this.runCell(line, byKey),
    place: () => this.feed.state,
  };

  private goBack(step: number, report: (text: string) => void): void {
    const id = this.post.request("goto", this.feed.state.run, String(step));
    if (id === "") return report("The run\u2019s kernel is gone: there is nothing to go back to.");
    const timer = setTimeout(() => report("No kernel answered yet: it is busy with another cell, or gone."), REPLY_TIMEOUT_MS);
    this.requests.set(id, ({ said, why }) => {
      clearTimeout(timer);
      report(typeof why === "string" && why !== "" ? `Not taken back: ${why}` : typeof said === "string" ? said : "");
    });
  }

  private runCell(line: string, byKey: boolean): HTMLElement[] {
    const taken = insertCell(this.el, { task: null, session: this.feed.state.session, cell: line, byKey });
    return taken ? [] : showForCopy(line);
  }

  /** Draws the changes of the feed. */
  update(): void {
    const { state } = this.feed;
    const controls = this.waiting()?.controls ?? null;
    const over = state.ended !== null && !this.over;
    // If the user is typing in the card, it keeps the focus: the notebook would take the letters for commands.
    const typing = takesText(this.el.ownerDocument.activeElement);
    if (over) this.cardFocus.keep();
    const { isHere } = this.cardFocus;
    const follows = (isHere || ranByKey(this.el)) && !this.scrolled;
    this.drawEnds(state);
    this.takeReply();
    this.list.update(state, this.feed.link === "live" ? this.feed.pending : null);
    this.drawStop(state);
    const now = this.waiting()?.controls ?? null;
    if (now !== controls) this.onPendingChange(isHere);
    now?.take(this.feed.verdict);
    this.announcer.announce(state, this.waiting()?.step ?? undefined, this.feed.pending?.run);
    if (state.phase !== this.phase) [this.phase, this.since] = [state.phase, performance.now()];
    this.tick();
    this.arm();
    this.over = state.ended !== null;
    if (follows && state.phase === "running") this.showNews();
    if (over && follows) (state.answer === null ? this.foot : this.answered).el.scrollIntoView?.({ block: "nearest" });
    if (over && !typing) this.cardFocus.giveBack();
  }

  /** Scrolls to the running step's output, at most once a frame, because it forces a layout of the page. */
  private showNews(): void {
    if (this.showing || typeof requestAnimationFrame === "undefined") return;
    this.showing = true;
    requestAnimationFrame(() => {
      this.showing = false;
      if (!this.scrolled && this.feed.state.phase === "running") this.list.showNews();
    });
  }

  /** Passes a reply of the kernel to the step that requested it. */
  private takeReply(): void {
    const { reply } = this.feed;
    const take = reply === null ? undefined : this.requests.get(reply.id);
    if (reply === null || take === undefined) return;
    this.requests.delete(reply.id);
    take(reply.said);
  }

  private drawTask(state: RunState): Child[] {
    this.el.setAttribute("aria-label", uniqueName(this.el, `Agent run ${readable(state.task).slice(0, 80)}`.trim()));
    return state.task === "" ? [] : taskParts(state);
  }

  /** Shows the stop button of the run, unless a step waits: that has its own. */
  private drawStop(state: RunState): void {
    this.stopButton.hidden = state.ended !== null || this.feed.link !== "live" || this.waiting() !== undefined;
    this.stopButton.disabled = this.stopping;
    const floating = String(!this.stopButton.hidden && this.feed.pending === null);
    if (this.now.dataset["floating"] !== floating) this.now.dataset["floating"] = floating;
  }

  private waiting(): StepView | undefined {
    return this.list.waiting();
  }

  private drawEnds(state: RunState): void {
    this.el.dataset["link"] = this.feed.link;
    this.el.dataset["run"] = state.run;
    this.el.dataset["over"] = String(state.ended !== null && this.feed.link !== "dead");
    this.rule.draw([state.run], () => [`.smolcell-run-${state.run.replace(/[^A-Za-z0-9-]/g, "")} { display: none; }`]);
    this.task.draw([state.task], () => this.drawTask(state));
    this.head.draw([state.run, state.boundary, state.variables, state.model, state.sent], () => (state.run === "" ? [] : headParts(state)));
    this.notices.draw([state.notices.length], () => state.notices.map((notice) => h("p", "note", readable(notice.text))));
    this.answered.draw([state.answer], () => answerPart(state));
    this.answered.el.classList.toggle("smolcell-uncomputed", state.answer?.uncomputed === true);
    this.foot.draw([state.ended], () => footParts(state));
    this.model.update(this.feed);
    this.fix.update(this.feed);
    this.followUp.update(this.feed);
    this.exported.update(this.feed);
    this.record.update(this.feed);
    this.libraries.update(this.feed.library);
  }

  /** Moves the focus and the view after another proposal began to wait, or none waits any more. */
  private onPendingChange(focusWasHere: boolean): void {
    const view = this.waiting();
    this.visibility.watch(view?.controls?.el ?? null);
    if (view === undefined) releaseHeights();
    const follows = focusWasHere || ranByKey(this.el);
    if (view === undefined ? focusWasHere && !this.cardFocus.isHere : follows || isFree(this.el)) this.el.focus({ preventScroll: true });
    if (view !== undefined && follows && !this.scrolled) bringIntoView(view);
  }

  private arm(): void {
    this.waiting()?.controls?.arm(this.visibility.clickCounts() || this.onlyUnfocused());
    this.el.dataset["armed"] = String(this.waiting() !== undefined && this.visibility.keyCounts());
  }

  /** Whether only the window's focus is missing: the buttons look active then, and the click that brings the window to the front is judged later. */
  private onlyUnfocused(): boolean {
    const { drawn, still, pageVisible } = this.visibility.facts;
    return drawn !== null && still !== null && pageVisible !== null && performance.now() - Math.max(drawn, still, pageVisible) >= SETTLE_MS;
  }

  private stop(): void {
    this.cardFocus.keep();
    this.stopping = true;
    this.stopButton.disabled = true;
    this.stopButton.textContent = "Stopping\u2026";
    this.post.stop(this.feed.state.run);
  }

  // --- keys -------------------------------------------------------------------------------------------------------------

  private listen(signal: AbortSignal): void {
    // In the capture phase of the window, before the notebook's own shortcuts (A inserts a cell, X cuts one).
    window.addEventListener("keydown", (event) => this.keyDown(event), { capture: true, signal });
    for (const kind of ["wheel", "touchmove"]) window.addEventListener(kind, () => (this.scrolled = true), { capture: true, passive: true, signal });
    // A click outside may be on a scroll bar, or the user does something else.
    window.addEventListener("pointerdown", (event) => event.composedPath().includes(this.el) || (this.scrolled = true), { capture: true, passive: true, signal });
    // Text fields handle their keys first; then propagation ends.
    this.el.addEventListener("keydown", (event) => takesText(event.target) && event.stopPropagation(), { signal });
    const timer = setInterval(() => this.tick(), 1000);
    signal.addEventListener("abort", () => clearInterval(timer));
  }

  private keyDown(event: KeyboardEvent): void {
    const target = event.composedPath()[0] ?? null;
    if (SCROLLING.has(event.key)) this.scrolled = true;
    if (!event.composedPath().includes(this.el) || takesText(target) || !isCardKey(event)) return;
    if (this.over && event.key === "Enter" && event.shiftKey) return; // the notebook runs a cell with it
    event.stopImmediatePropagation();
    if (!byPerson(event)) return;
    if (!this.visibility.keyCounts()) this.visibility.restartWait();
    const choice = choiceOf(event);
    if (choice === null) return;
    event.preventDefault();
    const view = this.waiting();
    if (view === undefined) {
      if (choice === "stop" && !this.stopButton.hidden && !this.stopping) this.stop();
    } else if (this.visibility.keyCounts()) view.controls?.press(choice);
    else if (this.visibility.facts.inView === null) bringIntoView(view);
    else view.controls?.tooEarly();
  }

  // --- progress ---------------------------------------------------------------------------------------------------------

  private tick(): void {
    const text = this.progressText();
    if (this.progress.textContent !== text) this.progress.textContent = text;
    this.progress.hidden = text === "";
  }

  private progressText(): string {
    const { state, link, pending } = this.feed;
    if (link === "dead") return "The kernel that ran this is gone, or was restarted. Nothing here can run any more.";
    if (link === "connecting") return "Waiting for the kernel\u2026";
    if (link === "over") return state.ended === null ? "This run is over." : "";
    const elapsed = seconds(Math.floor((performance.now() - this.since) / 1000)).replace(".0", "");
    const phase = PHASES[state.phase] ?? "";
    if (pending !== null) return "Waiting for your decision.";
    if (state.phase === "asking") return "Checking\u2026";
    const starts = state.phase === "thinking" && state.boundary === null && state.progress === "" ? " \u00b7 the sandbox is starting" : "";
    return `${phase}\u2026 ${elapsed}${starts}${state.progress === "" ? "" : ` \u00b7 ${readable(state.progress)}`}`;
  }
}

/** The name of a card, with a number if another card of the page has the same name. */
function uniqueName(card: HTMLElement, name: string): string {
  const others = [...document.querySelectorAll(".smolcell-card")].filter((one) => one !== card).map((one) => one.getAttribute("aria-label"));
  let unique = name;
  for (let n = 2; others.includes(unique); n++) unique = `${name}, ${n}`;
  return unique;
}

/** Scrolls to the waiting step. A key for a step that is out of view does only this. */
function bringIntoView(view: StepView): void {
  const fits = view.el.getBoundingClientRect().height < window.innerHeight;
  (fits ? view.el : view.controls?.el)?.scrollIntoView?.({ block: "nearest" });
}

const SCROLLING: ReadonlySet<string> = new Set(["PageUp", "PageDown", "ArrowUp", "ArrowDown", "Home", "End"]);
const PHASES: Record<string, string> = { opening: "Starting", thinking: "Thinking", running: "Running" };
