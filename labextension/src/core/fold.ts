// A run's events, folded into what the card shows. Pure: no clock, no page; an unchanged step stays the same object,
// so that drawing can tell by identity what to leave alone. `smolcell/views/fold.py` is its twin.

import type {
  Allowed,
  Asked,
  Boundary,
  Called,
  Delta,
  Ended,
  File,
  Finding,
  Installed,
  Kind,
  Observed,
  Proposed,
  Refused,
  Replied,
  RunEvent,
  Unparsed,
  Usage,
  Variable,
} from "./events";

export type Status = "thinking" | "pending" | "allowed" | "running" | "done" | "refused" | "unparsed" | "cut";
export type Phase = "opening" | "thinking" | "asking" | "running" | "ended";

export type Observation = Required<Omit<Observed, "event" | "run" | "step" | "call">>;

export interface Step {
  n: number;
  /** Which call of step `n`, from 1; 0 is the step itself. */
  call: number;
  status: Status;
  kind: Kind;
  /** The model's whole reply: streamed, then final; empty once a proposal says the same in parts. */
  reply: string;
  reasoning: string;
  thought: string;
  code: string;
  fingerprint: string;
  findings: Finding[];
  /** What ran instead of `code`, where a person edited it. */
  edited: string | null;
  sha256: string;
  by: string;
  scope: string;
  comment: string;
  /** What was done together with the approval, in words that follow "Approved by you, and". */
  offer: string;
  /** Why the step was refused, or why its reply held no program. */
  reason: string;
  /** Printed so far; empty once the observation is there. */
  output: string;
  observation: Observation | null;
  usage: Usage | null;
  /** Seconds the model took. */
  duration: number;
  /** The runs of managed agents that it called. */
  runs: RunState[];
  /** The tools that its code called, but for those that a person was asked about: these are steps of their own. */
  tools: ToolCall[];
}

export type ToolCall = Omit<Called, "event" | "run" | "step">;

export interface Notice {
  step: number;
  text: string;
}

export interface RunState {
  run: string;
  /** The agent's name, where it has one. */
  agent: string;
  task: string;
  variables: Variable[];
  files: File[];
  tools: string[];
  /** Names that went with the sandbox of before. */
  lost: string[];
  images: number;
  model: string;
  sandbox: string;
  approve: string;
  session: string;
  /** The run that this one continues, or "". */
  resumes: string;
  boundary: Boundary | null;
  phase: Phase;
  progress: string;
  steps: Step[];
  notices: Notice[];
  answer: { step: number; text: string; is_text: boolean } | null;
  ended: Required<Omit<Ended, "event" | "run">> | null;
}

export const EMPTY: RunState = {
  run: "",
  agent: "",
  task: "",
  variables: [],
  files: [],
  tools: [],
  lost: [],
  images: 0,
  model: "",
  sandbox: "",
  approve: "",
  session: "",
  resumes: "",
  boundary: null,
  phase: "opening",
  progress: "",
  steps: [],
  notices: [],
  answer: null,
  ended: null,
};

/** The state after all of these; deltas count as coming after the last event. */
export function fold(events: readonly RunEvent[], deltas: readonly Delta[] = []): RunState {
  return deltas.reduce(foldDelta, events.reduce(foldEvent, EMPTY));
}

/** The state after one more event. An event of another run, or of an unknown kind, changes nothing. */
export function foldEvent(state: RunState, event: RunEvent): RunState {
  if (state.run !== "" && event.run !== state.run) return foldCalled(state, event);
  const next = applied(state, event);
  return next === state || next.progress === "" ? next : { ...next, progress: "" };
}

/** An event of a managed agent's run, which is shown below the step that called it. */
function foldCalled(state: RunState, event: RunEvent): RunState {
  if (event.event !== "Asked" || event.parent !== state.run) return withCalled(state, (run) => foldEvent(run, event));
  const { parent_step: n = 0, parent_call: call = 0 } = event;
  return withStep(state, n, (step) => ({ ...step, runs: [...step.runs, fold([event])] }), call);
}

function withCalled(state: RunState, change: (run: RunState) => RunState): RunState {
  let changed = false;
  const steps = state.steps.map((step) => {
    const runs = step.runs.map(change);
    if (runs.every((run, at) => run === step.runs[at])) return step;
    changed = true;
    return { ...step, runs };
  });
  return changed ? { ...state, steps } : state;
}

function applied(state: RunState, event: RunEvent): RunState {
  switch (event.event) {
    case "Asked":
      return asked(state, event);
    case "Opened":
      return { ...state, boundary: event.boundary };
    case "Replied":
      return { ...withStep(noted(state, event), event.step, replied(event)), phase: "thinking" };
    case "Unparsed":
      return { ...withStep(state, event.step, unparsed(event)), phase: "thinking" };
    case "Trimmed":
      return { ...state, notices: [...state.notices, { step: event.step, text: trimmed(event.steps) }] };
    case "Proposed":
      return { ...proposedIn(state, event), phase: "asking" };
    case "Installed":
      return { ...state, notices: [...state.notices, { step: event.step, text: installed(event) }] };
    case "Allowed":
      return allowedOn(withStep(state, event.step, allowed(event), event.call), event);
    case "Refused":
      return phaseAfter(withStep(state, event.step, refused(event), event.call), event.step);
    case "Called":
      return withStep(state, event.step, called(event));
    case "Observed":
      return phaseAfter(withStep(state, event.step, observed(event), event.call), event.step);
    case "Answered":
      return { ...withStep(state, event.step, answered), answer: { step: event.step, text: event.text, is_text: event.is_text ?? false } };
    case "Ended":
      return ended(state, event);
    default:
      return state;
  }
}

/** The state after one more piece of text. */
export function foldDelta(state: RunState, delta: Delta): RunState {
  if ((delta.run ?? state.run) !== state.run) return withCalled(state, (run) => foldDelta(run, delta));
  switch (delta.channel) {
    case "progress":
      return { ...state, progress: delta.text };
    case "reply":
      return withStep(state, delta.step, (step) => ({ ...step, reply: grown(step.reply, delta.text) }));
    case "reasoning":
      return withStep(state, delta.step, (step) => ({ ...step, reasoning: grown(step.reasoning, delta.text) }));
    case "output":
      return withStep(state, delta.step, (step) => printed(step, delta.text));
    default:
      return state;
  }
}

type Change = (step: Step) => Step;

/** The state with a step, or a call of a step, changed; a new one comes last. */
function withStep(state: RunState, n: number, change: Change, call = 0): RunState {
  const at = state.steps.findLastIndex((step) => step.n === n && step.call === call);
  const steps = [...state.steps];
  if (at < 0) steps.push(change(newStep(n, call)));
  else steps[at] = change(steps[at] as Step);
  return { ...state, steps };
}

function newStep(n: number, call: number): Step {
  return {
    n,
    call,
    status: "thinking",
    kind: "code",
    reply: "",
    reasoning: "",
    thought: "",
    code: "",
    fingerprint: "",
    findings: [],
    edited: null,
    sha256: "",
    by: "",
    scope: "",
    comment: "",
    offer: "",
    reason: "",
    output: "",
    observation: null,
    usage: null,
    duration: 0,
    runs: [],
    tools: [],
  };
}

function asked(state: RunState, event: Asked): RunState {
  const { run, task, variables, model, sandbox, approve, session, resumes = "", files = [], tools = [], lost = [], agent = "" } = event;
  return { ...state, run, agent, task, variables, files, tools, lost, images: event.images.length, model, sandbox, approve, session, resumes, phase: "thinking" };
}

function noted(state: RunState, { step, note = "" }: Replied): RunState {
  return note === "" ? state : { ...state, notices: [...state.notices, { step, text: note }] };
}

function replied({ text, reasoning, usage, duration }: Replied): Change {
  return (step) => ({ ...step, reply: text, reasoning, usage, duration });
}

function unparsed({ reason }: Unparsed): Change {
  return (step) => ({ ...step, status: "unparsed", reason });
}

function proposedIn(state: RunState, event: Proposed): RunState {
  const { step: n, call = 0, thought } = event;
  if (call === 0) return withStep(state, n, proposed(event));
  const own = state.steps.findLast((step) => step.n === n && step.call === 0);
  if (own !== undefined && own.status !== "thinking") return withStep(state, n, proposed(event), call); // a program makes it
  // What a model says with its calls is the step's own thought.
  const begun = withStep(state, n, (step) => ({ ...step, status: "done", kind: "call", reply: "", thought }));
  return withStep(begun, n, proposed({ ...event, thought: "" }), call);
}

const UNDECIDED = { edited: null, sha256: "", by: "", scope: "", comment: "", offer: "", reason: "" };

function proposed({ kind, thought, text, fingerprint, findings }: Proposed): Change {
  return (step) => ({ ...step, ...UNDECIDED, status: "pending", reply: "", kind, thought, code: text, fingerprint, findings });
}

function allowed({ text, sha256, by, edited, scope, comment, kind, offer = "" }: Allowed): Change {
  const status = kind === "plan" ? "done" : "allowed";
  return (step) => ({ ...step, status, edited: edited ? text : null, sha256, by, scope, comment, offer });
}

/** What goes on once it is allowed. After a budget the step itself is yet to come. */
function allowedOn(state: RunState, { kind, step: n, call = 0 }: Allowed): RunState {
  if (kind === "plan") return { ...state, phase: "thinking" };
  if (kind !== "budget") return { ...state, phase: "running" };
  const asked = state.steps.find((step) => step.n === n && step.call === call);
  const notice = { step: n, text: `${asked?.code ?? ""} It was allowed.` };
  return { ...state, steps: state.steps.filter((step) => step !== asked), notices: [...state.notices, notice], phase: "thinking" };
}

/** A call may be one that a program made, which goes on then. */
function phaseAfter(state: RunState, n: number): RunState {
  const own = state.steps.findLast((step) => step.n === n && step.call === 0);
  return { ...state, phase: own?.status === "allowed" || own?.status === "running" ? "running" : "thinking" };
}

function refused({ reason, by }: Refused): Change {
  return (step) => ({ ...step, status: "refused", reason, by });
}

function printed(step: Step, text: string): Step {
  return { ...step, status: step.status === "allowed" ? "running" : step.status, output: grown(step.output, text) };
}

/** Characters of one text under way that are taken; the kernel's side sends fewer, and says that it does. */
const MOST_UNDER_WAY = 250_000;

function grown(before: string, text: string): string {
  return before.length >= MOST_UNDER_WAY ? before : (before + text).slice(0, MOST_UNDER_WAY);
}

function called({ call, name, text, result, error, duration, times }: Called): Change {
  return (step) => ({ ...step, tools: [...step.tools, { call, name, text, result, error, duration, times }] });
}

function observed(event: Observed): Change {
  const { stdout, result, outputs, error, changed, is_final_answer, dropped, state_lost, duration, files = [] } = event;
  const observation = { stdout, result, outputs, error, changed, is_final_answer, dropped, state_lost, duration, files };
  return (step) => ({ ...step, status: "done", output: "", observation });
}

/** A reply that was the answer itself has no proposal; its step is done with it. */
function answered(step: Step): Step {
  return step.status === "thinking" ? { ...step, status: "done" } : step;
}

function ended(state: RunState, event: Ended): RunState {
  const { state: how, steps: count, usage, duration, error, cut, receipt = {} } = event;
  const steps = state.steps.map((step) => (OPEN.has(step.status) ? { ...step, status: "cut" as const } : step));
  return { ...state, steps, phase: "ended", ended: { state: how, steps: count, usage, duration, error, cut, receipt } };
}

function installed({ packages, index }: Installed): string {
  return `Installed for this session from ${index}: ${packages.map(({ name, version }) => `${name} ${version}`).join(", ")}.`;
}

const OPEN: ReadonlySet<Status> = new Set(["thinking", "pending", "allowed", "running"]);

function trimmed(steps: readonly number[]): string {
  const which = steps.length === 1 ? `step ${steps[0]}` : `steps ${steps.join(", ")}`;
  return `The output of ${which} is no longer shown to the model: the history outgrew its prompt.`;
}
