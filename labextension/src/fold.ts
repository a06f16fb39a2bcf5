// A run's events, folded into what the card shows. Pure: no clock, no page; an unchanged step stays the same object,
// so that drawing can tell by identity what to leave alone. `smolcell/views/fold.py` is its twin.

import type {
  Allowed,
  Asked,
  Boundary,
  Delta,
  Ended,
  File,
  Finding,
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

export type Observation = Required<Omit<Observed, "event" | "run" | "step">>;

export interface Step {
  n: number;
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
  /** Why the step was refused, or why its reply held no program. */
  reason: string;
  /** Printed so far; empty once the observation is there. */
  output: string;
  observation: Observation | null;
  usage: Usage | null;
  /** Seconds the model took. */
  duration: number;
}

export interface Notice {
  step: number;
  text: string;
}

export interface RunState {
  run: string;
  task: string;
  variables: Variable[];
  files: File[];
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
  answer: { step: number; text: string } | null;
  ended: Omit<Ended, "event" | "run"> | null;
}

export const EMPTY: RunState = {
  run: "",
  task: "",
  variables: [],
  files: [],
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
  if (state.run !== "" && event.run !== state.run) return state;
  const next = applied(state, event);
  return next === state || next.progress === "" ? next : { ...next, progress: "" };
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
      return { ...withStep(state, event.step, proposed(event)), phase: "asking" };
    case "Allowed":
      return { ...withStep(state, event.step, allowed(event)), phase: "running" };
    case "Refused":
      return { ...withStep(state, event.step, refused(event)), phase: "thinking" };
    case "Observed":
      return { ...withStep(state, event.step, observed(event)), phase: "thinking" };
    case "Answered":
      return { ...withStep(state, event.step, answered), answer: { step: event.step, text: event.text } };
    case "Ended":
      return ended(state, event);
    default:
      return state;
  }
}

/** The state after one more piece of text. */
export function foldDelta(state: RunState, delta: Delta): RunState {
  switch (delta.channel) {
    case "progress":
      return { ...state, progress: delta.text };
    case "reply":
      return withStep(state, delta.step, (step) => ({ ...step, reply: step.reply + delta.text }));
    case "reasoning":
      return withStep(state, delta.step, (step) => ({ ...step, reasoning: step.reasoning + delta.text }));
    case "output":
      return withStep(state, delta.step, (step) => printed(step, delta.text));
    default:
      return state;
  }
}

type Change = (step: Step) => Step;

function withStep(state: RunState, n: number, change: Change): RunState {
  const at = state.steps.findLastIndex((step) => step.n === n);
  const steps = [...state.steps];
  if (at < 0) steps.push(change(newStep(n)));
  else steps[at] = change(steps[at] as Step);
  return { ...state, steps };
}

function newStep(n: number): Step {
  return {
    n,
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
    reason: "",
    output: "",
    observation: null,
    usage: null,
    duration: 0,
  };
}

function asked(state: RunState, event: Asked): RunState {
  const { run, task, variables, model, sandbox, approve, session, resumes = "", files = [] } = event;
  return { ...state, run, task, variables, files, images: event.images.length, model, sandbox, approve, session, resumes, phase: "thinking" };
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

function proposed({ kind, thought, text, fingerprint, findings }: Proposed): Change {
  return (step) => ({ ...step, status: "pending", reply: "", kind, thought, code: text, fingerprint, findings });
}

function allowed({ text, sha256, by, edited, scope, comment }: Allowed): Change {
  return (step) => ({ ...step, status: "allowed", edited: edited ? text : null, sha256, by, scope, comment });
}

function refused({ reason, by }: Refused): Change {
  return (step) => ({ ...step, status: "refused", reason, by });
}

function printed(step: Step, text: string): Step {
  return { ...step, status: step.status === "allowed" ? "running" : step.status, output: step.output + text };
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
  const { state: how, steps: count, usage, duration, error, cut } = event;
  const steps = state.steps.map((step) => (OPEN.has(step.status) ? { ...step, status: "cut" as const } : step));
  return { ...state, steps, phase: "ended", ended: { state: how, steps: count, usage, duration, error, cut } };
}

const OPEN: ReadonlySet<Status> = new Set(["thinking", "pending", "allowed", "running"]);

function trimmed(steps: readonly number[]): string {
  const which = steps.length === 1 ? `step ${steps[0]}` : `steps ${steps.join(", ")}`;
  return `The output of ${which} is no longer shown to the model: the history outgrew its prompt.`;
}
