// The view of one step of a run. A part is redrawn only if its values have changed.

import { Printed } from "./ansi";
import { RewindPart } from "./rewind";
import { codeBlock, findingList } from "./code";
import { Controls, type StepActions } from "./controls";
import { diffLines, differenceBlock } from "./diff";
import { button, type Child, fold, GrowingText, h, Slot } from "./dom";
import type { Kind } from "./events";
import type { Pending, Verdict } from "./feed";
import type { RunState, Status, Step, ToolCall } from "./fold";
import { Prose } from "./markdown";
import { observation, output, printedBox } from "./output";
import { cost, joinParts, readable, seconds, tokens } from "./text";

const STATUS: Record<Status, string> = {
  thinking: "thinking",
  pending: "waiting",
  allowed: "running",
  running: "running",
  done: "done",
  refused: "refused",
  unparsed: "no code",
  cut: "cut short",
};

const WHO: Record<string, string> = {
  person: "you",
  policy: "the policy",
  auto: "auto-approval",
  remembered: "your earlier approval",
  grant: "a grant of yours",
  caller: "the caller",
  deny: "the deny setting",
  nobody: "default",
};

/** The runs of managed agents that a step called. */
export interface Runs {
  readonly el: HTMLElement;
  update(runs: readonly RunState[], pending: Pending | null): void;
  waiting(): StepView | undefined;
}

export class StepView {
  readonly el: HTMLElement;
  controls: Controls | null = null;
  private drawn: Step | null = null;
  private asking: Pending | null = null; // the question that waited at the last update
  private readonly toggle = button("", "step-toggle", () => this.collapse(this.el.dataset["collapsed"] !== "true"));
  private readonly facts = h("div", "step-facts");
  private readonly reasoningText = h("div", "reasoning");
  private readonly reasoning = new Prose(this.reasoningText);
  private readonly reasoningFold = fold("Reasoning", this.reasoningText);
  private readonly thought = new Prose(h("div", "thought"));
  private readonly draft = new GrowingText(h("pre", "draft"));
  private readonly code = new Slot(h("div", "part"));
  private readonly decision = new Slot(h("div", "decision"));
  private readonly place = h("div", "place");
  private readonly printed = new Printed(printedBox());
  private readonly shown = new Slot(h("div", "part"));
  private readonly tools = new Slot(h("div", "part"));
  private readonly observed = new Slot(h("div", "part"));
  private readonly head = new Slot(this.facts);
  private readonly back: RewindPart;

  constructor(
    private readonly actions: StepActions,
    private readonly runs: Runs,
  ) {
    this.back = new RewindPart(actions);
    this.el = h(
      "section",
      "step",
      h("div", "step-head", h("h4", "step-title", this.toggle), this.facts),
      this.reasoningFold,
      this.thought.el,
      this.draft.el,
      this.code.el,
      this.decision.el,
      this.place,
      this.tools.el,
      this.runs.el,
      this.printed.el,
      this.shown.el,
      this.observed.el,
      this.back.el,
    );
    this.el.setAttribute("role", "group"); // only the card is a region: few landmarks make a page navigable
    this.collapse(false);
  }

  /**
   * Draws the step.
   *
   * @param mine the pending question if it is about this step and this page may answer; else null.
   * @param pending the pending question, also if it is about a run below this step.
   */
  update(step: Step, mine: Pending | null, pending: Pending | null): void {
    const own = mine !== null && mine.fingerprint === step.fingerprint ? mine : null;
    // What changes in other steps is drawn after the question: growing above it, they would move the buttons.
    const held = this.drawn !== null && own === null && pending !== null && pending === this.asking;
    this.asking = pending;
    if (step !== this.drawn && !held) {
      this.drawParts(step);
      this.drawn = step;
    }
    this.drawControls(step, own);
    this.runs.update(step.runs, pending);
    if (this.waiting() !== undefined && this.el.dataset["collapsed"] === "true") this.collapse(false);
  }

  /** Whether the step is drawn already and nothing in it or below it could wait; true for most of 500 steps. */
  shows(step: Step, pending: Pending | null): boolean {
    const done = step.observation !== null || pending === this.asking;
    return step === this.drawn && done && this.controls === null && step.runs.length === 0;
  }

  /** The step that waits for an answer: this one, or one of a run below it. */
  waiting(): StepView | undefined {
    return this.controls === null ? this.runs.waiting() : this;
  }

  markNewest(on: boolean): void {
    this.back.markNewest(on);
  }

  get step(): Step | null {
    return this.drawn;
  }

  /** Collapses the step to its first line, or expands it. A step that waits for the user, itself or below it, stays open. */
  collapse(on: boolean): void {
    this.el.dataset["collapsed"] = String(on && this.waiting() === undefined);
    this.toggle.setAttribute("aria-expanded", String(this.el.dataset["collapsed"] === "false"));
  }

  /** Scrolls to the end of the step's output. */
  showNews(): void {
    const last = [this.shown.el, this.printed.el].find((el) => el.firstChild !== null && !el.hidden);
    last?.scrollIntoView?.({ block: "nearest" });
  }

  take(verdict: Verdict | null): void {
    this.controls?.take(verdict);
  }

  private drawParts(step: Step): void {
    this.el.setAttribute("aria-label", name(step));
    this.el.dataset["call"] = String(step.call);
    this.el.dataset["idea"] = String(step.call > FIRST_IDEA);
    this.el.dataset["status"] = failed(step) ? "failed" : step.status;
    this.el.dataset["step"] = String(step.n);
    if (this.toggle.textContent !== title(step)) this.toggle.textContent = title(step);
    this.el.dataset["undone"] = String(step.undone);
    this.head.draw([step.status, step.usage, step.observation, step.kind, step.undone], () => headLine(step));
    this.reasoning.set(step.reasoning.trim());
    this.reasoningFold.hidden = step.reasoning === "";
    const [thought, draft] = step.reply === "" ? [step.thought, ""] : split(step.reply);
    this.thought.set(thought.trim());
    this.draft.set(readable(draft));
    this.code.draw([step.code, step.kind, step.findings, step.edited, step.observation === null, errorLine(step)], () => codePart(step));
    this.decision.draw([step.status, step.by, step.scope, step.comment, step.offer, step.reason], () => decisionPart(step));
    this.back.update(step);
    this.observed.draw([step.observation], () =>
      step.observation === null ? [] : observation(step.observation, step.edited ?? step.code),
    );
    this.tools.draw([step.tools], () => toolsPart(step.tools));
    const seen = step.observation;
    this.printed.set(seen === null ? step.output : seen.places.length > 0 ? "" : seen.stdout);
    this.shown.draw([step.outputs], () => step.outputs.flatMap((bundle) => output(bundle)));
  }

  private drawControls(step: Step, pending: Pending | null): void {
    const question = pending !== null && step.status === "pending" ? pending : null;
    // A click on an offer may lead to another question about the same text.
    if (JSON.stringify(question) === JSON.stringify(this.controls?.pending ?? null)) return;
    this.controls?.close();
    this.controls = null;
    this.showCode(true);
    if (question !== null) {
      const lines = [...this.code.el.querySelectorAll<HTMLElement>(".smolcell-line")];
      this.controls = new Controls(this.actions, step, question, lines, (mode) => this.showCode(mode !== "edit"));
    }
    this.collapse(false);
    this.place.replaceChildren(...(this.controls === null ? [] : [this.controls.el]));
  }

  /** Hides the code while the editor is shown in its place. */
  private showCode(on: boolean): void {
    const block = this.code.el.querySelector<HTMLElement>(":scope > .smolcell-code");
    if (block !== null) block.hidden = !on;
  }
}

function failed(step: Step): boolean {
  return step.observation?.error != null;
}

function errorLine(step: Step): number {
  return step.observation?.error?.line ?? 0;
}

function headLine(step: Step): Child[] {
  const status = h("span", `status ${failed(step) ? "failed" : step.status}`, failed(step) ? "error" : STATUS[step.status]);
  const ran = step.observation === null ? "" : `ran ${seconds(step.observation.duration)}`;
  const model = step.duration > 0 ? `model ${seconds(step.duration)}` : "";
  const figures = joinParts(model, ran, step.usage === null ? "" : tokens(step.usage), step.usage === null ? "" : cost(step.usage));
  return [step.undone && h("span", "status undone", "taken back"), status, h("span", "figures", figures)];
}

/** The first call number of questions of output checks: `FIRST_OUTPUT` of `smolcell/events.py`. */
const FIRST_OUTPUT = 1_000_000;
/** The first call number of alternatives for a step: `FIRST_IDEA` there. */
const FIRST_IDEA = 2_000_000;

function name({ n, call, kind }: Step): string {
  if (kind === "context") return "The notebook as context";
  if (kind === "link") return "A link that leads elsewhere";
  if (call >= FIRST_IDEA) return `Step ${n}, idea ${call - FIRST_IDEA}`;
  return call === 0 || call >= FIRST_OUTPUT ? `Step ${n}` : `Step ${n}, call ${call}`;
}

const KINDS: Record<Kind, string> = {
  code: "",
  call: ": a tool call",
  plan: ": a plan",
  budget: ": the budget is spent",
  question: ": a question to you",
  context: "",
  output: ": an output check asks you",
  host: ": a connection to a host",
  link: "",
};

function title(step: Step): string {
  return name(step) + (step.kind === "call" && step.call === 0 ? "" : KINDS[step.kind]);
}

function codePart(step: Step): Child[] {
  if (step.code === "") return [];
  if (step.kind === "context") return [h("p", "question", readable(step.code.split("\n", 1)[0] ?? ""))];
  // Once the step is done, its observation lists the names that it wrote.
  const findings = step.observation === null ? step.findings : step.findings.filter(({ kind }) => kind !== "name");
  if (step.edited === null) return [codeBlock(step.code, step.kind, findings, errorLine(step)), findingList(findings)];
  return [
    h("p", "note", "Edited by you. This ran:"),
    codeBlock(step.edited, step.kind, [], errorLine(step)),
    changed(step.code, step.edited),
    fold("What the model proposed", codeBlock(step.code, step.kind, findings), findingList(findings)),
  ];
}

function changed(before: string, after: string): HTMLElement {
  const changes = diffLines(before, after);
  const node = fold("What you changed", differenceBlock(changes));
  node.open = changes.filter(({ sign }) => sign !== " ").length <= MAX_OPEN_CHANGES;
  return node;
}

const MAX_OPEN_CHANGES = 20; // changed lines up to which the diff is open from the start

/** The tools that the code called, while it runs and afterwards. */
function toolsPart(tools: readonly ToolCall[]): Child[] {
  if (tools.length === 0) return [];
  const times = tools.reduce((sum, { times: n }) => sum + n, 0);
  const node = fold(`Tools called: ${times}`, h("ul", "calls", ...tools.map(toolLine)));
  node.open = tools.length <= MAX_OPEN_CALLS || tools.some(({ error }) => error !== "");
  return [node];
}

const MAX_OPEN_CALLS = 5; // calls up to which the list is open from the start

function toolLine({ text, result, error, duration, times }: ToolCall): HTMLElement {
  const outcome = error === "" ? h("code", "quiet", readable(result)) : h("span", "fault-title", readable(error));
  const figures = joinParts(times > 1 ? `${times} times, such as this` : "", seconds(duration));
  const arrow = result === "" && error === "" ? "" : " \u2192 ";
  return h("li", "call", h("code", "", readable(text)), arrow, outcome, h("span", "figures", ` \u00b7 ${figures}`));
}

function decisionPart(step: Step): Child[] {
  const who = WHO[step.by] ?? readable(step.by);
  if (step.status === "unparsed") return [h("p", "note", "The reply held no program. The model was told: ", quoted(step.reason))];
  if (step.status === "refused") return [h("p", "note", `Refused by ${who}`, step.reason === "" ? "." : ": ", quoted(step.reason))];
  if (step.by === "") return [];
  const did = step.kind === "question" ? "Answered" : "Approved";
  const reach = step.scope === "run" ? (step.kind === "plan" ? ", with every plan of this run" : ", with the rest of this run") : step.scope === "kind" ? ", with later code of this session while the sandbox is isolated" : "";
  const also = step.offer === "" ? "" : `, and ${readable(step.offer)}`;
  return [h("p", "quiet", `${did} by ${who}${reach}${also}`, step.comment === "" ? "." : ": ", quoted(step.comment))];
}

function quoted(text: string): Child {
  return text === "" ? null : h("q", "quote", readable(text));
}

/** Splits a streaming reply into the thought and what looks like code, or a call as JSON. Only for display. */
function split(reply: string): [string, string] {
  const at = /<code>|```[a-z]*\n?|^(?=\s*\{)/m.exec(reply);
  const thought = reply.slice(0, at?.index).replace(/^\s*Thought:\s*/, "");
  if (at === null) return [thought, ""];
  return [thought, reply.slice(at.index + at[0].length).replace(/\s*(<\/code>|```)\s*$/, "").trimStart()];
}
