// The steps of a run, and below a step the runs of the managed agents that it called.

import type { StepActions } from "./controls";
import { type Child, h, Slot } from "./dom";
import type { Pending } from "./feed";
import type { RunState } from "./fold";
import { answerPart, STATES } from "./head";
import { isInEffect } from "./rewind";
import { type Runs, StepView } from "./step";
import { cost, count, joinParts, readable, seconds, tokens } from "./text";

const BATCH = 50; // steps in one box
const FOLD_FROM = 8; // steps from which on finished steps are collapsed
const UNFOLDED_AT_END = 3; // last steps that stay open

export class StepList {
  readonly el = h("div", "steps");
  private readonly views: StepView[] = [];
  private found: StepView | undefined;
  private newest: StepView | undefined; // the last step that was not undone
  private folded = 0; // steps that were collapsed; each once, so that a step the user opens again stays open
  private batch: HTMLElement = this.el; // gets the next step; with hundreds of steps the page lays out only some boxes

  constructor(private readonly actions: StepActions) {}

  /** Draws the run's steps; `pending` is the question that waits for an answer, in this run or in one that it called. */
  update(run: RunState, pending: Pending | null): void {
    run.steps.forEach((step, at) => {
      const view = this.views[at] ?? this.add();
      const mine = pending !== null && pending.run === run.run && pending.step === step.n ? pending : null;
      if (mine !== null || !view.shows(step, pending)) view.update(step, mine, pending);
    });
    this.cut(run.steps.length);
    this.markNewest(run.ended === null ? -1 : run.steps.findLastIndex(isInEffect)); // steps can be undone only after the run
    if (this.views.length >= FOLD_FROM) for (; this.folded < this.views.length - UNFOLDED_AT_END; this.folded++) this.views[this.folded]?.collapse(true);
    this.found = this.views.findLast((view) => view.waiting() !== undefined)?.waiting();
  }

  /** The step that waits for an answer, at any depth. */
  waiting(): StepView | undefined {
    return this.found;
  }

  /** Scrolls to the output of the newest step. */
  showNews(): void {
    this.views.at(-1)?.showNews();
  }

  private markNewest(at: number): void {
    const newest = this.views[at];
    if (newest === this.newest) return;
    this.newest?.markNewest(false);
    newest?.markNewest(true);
    this.newest = newest;
  }

  /** Removes the steps from index `length` on, and the boxes that become empty. */
  private cut(length: number): void {
    for (const extra of this.views.splice(length)) extra.el.remove();
    while (this.batch !== this.el && this.batch.firstChild === null) {
      const before = this.batch.previousElementSibling;
      this.batch.remove();
      this.batch = before?.classList.contains("smolcell-batch") === true ? (before as HTMLElement) : this.el;
    }
  }

  private add(): StepView {
    const view = new StepView(this.actions, new RunList(this.actions));
    if (this.views.length % BATCH === 0 && this.views.length > 0) this.batch = this.el.appendChild(h("div", "batch"));
    this.views.push(view);
    this.batch.append(view.el);
    return view;
  }
}

class RunList implements Runs {
  readonly el = h("div", "runs");
  private readonly views: RunView[] = [];

  constructor(private readonly actions: StepActions) {
    this.el.hidden = true;
  }

  update(runs: readonly RunState[], pending: Pending | null): void {
    if (this.el.hidden !== (runs.length === 0)) this.el.hidden = runs.length === 0;
    runs.forEach((run, at) => (this.views[at] ?? this.add()).update(run, pending));
    for (const extra of this.views.splice(runs.length)) extra.el.remove();
  }

  waiting(): StepView | undefined {
    return this.views.findLast((view) => view.steps.waiting() !== undefined)?.steps.waiting();
  }

  private add(): RunView {
    const view = new RunView(this.actions);
    this.views.push(view);
    this.el.append(view.el);
    return view;
  }
}

/** A managed agent's run: a card within the card. */
class RunView {
  readonly el: HTMLDetailsElement;
  readonly steps: StepList;
  private asking: Pending | null = null; // the question that waited at the last update
  private readonly summary = new Slot(h("summary", "summary"));
  private readonly task = new Slot(h("div", "task-part"));
  private readonly answered = new Slot(h("div", "answer"));
  private readonly foot = new Slot(h("div", "foot"));

  constructor(actions: StepActions) {
    this.steps = new StepList(actions);
    this.el = h("details", "fold run", this.summary.el, this.task.el, this.steps.el, this.answered.el, this.foot.el);
    this.el.open = true;
  }

  update(run: RunState, pending: Pending | null): void {
    const asks = pending !== null && (pending.run === run.run || pending.run.startsWith(`${run.run}-`));
    const held = !asks && pending !== null && pending === this.asking; // as a step that does not ask
    this.asking = pending;
    if (held) return;
    if (this.el.dataset["run"] !== run.run) this.name(run);
    if (asks && !this.el.open) this.el.open = true;
    this.summary.draw([run.agent, run.model, run.boundary, run.phase, run.ended], () => [summary(run)]);
    this.task.draw([run.task], () => [h("div", "task", readable(run.task))]);
    this.steps.update(run, pending);
    this.answered.draw([run.answer], () => answerPart(run));
    this.foot.draw([run.ended], () => foot(run));
  }

  private name(run: RunState): void {
    this.el.dataset["run"] = run.run;
    this.el.setAttribute("aria-label", `Run of the agent ${readable(run.agent)}`);
  }
}

function summary(run: RunState): HTMLElement {
  const how = run.ended === null ? run.phase : (STATES[run.ended.state] ?? run.ended.state);
  const where = run.boundary === null ? run.sandbox : run.boundary.where;
  return h("span", "", h("strong", "", `Agent ${readable(run.agent)}`), ` \u00b7 ${joinParts(how.toLowerCase(), readable(run.model), readable(where))}`);
}

function foot({ ended }: RunState): Child[] {
  if (ended === null) return [];
  const figures = joinParts(count(ended.steps, "step"), seconds(ended.duration), tokens(ended.usage), cost(ended.usage));
  return [h("p", "quiet", figures), ended.error !== "" && h("p", "fault-title", readable(ended.error))];
}
