// Folds a run's events into the state that the card shows. Pure: no clock, no page. An unchanged step stays the same object,
// so that views can skip it by identity. `smolcell/views/fold.py` does the same in Python.

import type {
  Allowed,
  Asked,
  Boundary,
  Branched,
  Bundle,
  Called,
  Checked,
  Connected,
  Delta,
  Ended,
  File,
  Finding,
  Granted, Installed,
  Kind,
  Observed,
  Piece,
  Proposed,
  Refused,
  Replied,
  RunEvent,
  Undone,
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
  /** The model's whole reply, streamed and then final; empty once a proposal holds its parts. */
  reply: string;
  reasoning: string;
  thought: string;
  code: string;
  fingerprint: string;
  findings: Finding[];
  /** What ran instead of `code` if the user edited it. */
  edited: string | null;
  sha256: string;
  by: string;
  scope: string;
  comment: string;
  /** What was done together with the approval, as a text that follows "Approved by you, and". */
  offer: string;
  /** The name of the person who decided, or whose earlier approval decided. */
  who: string;
  /** Why the step was refused, or why its reply contained no program. */
  reason: string;
  /** The text printed so far; empty once there is an observation. */
  output: string;
  /** The outputs displayed so far; empty once there is an observation. */
  outputs: readonly Bundle[];
  observation: Observation | null;
  usage: Usage | null;
  /** Seconds the model took. */
  duration: number;
  /** The runs of managed agents that it called. */
  runs: RunState[];
  /** The tools that its code called, except those that needed an approval: these are steps of their own. */
  tools: ToolCall[];
  /** The user undid it. */
  undone: boolean;
}

export type ToolCall = Omit<Called, "event" | "run" | "step">;

export interface Notice {
  step: number;
  text: string;
}

export interface RunState {
  run: string;
  /** The agent's name, or "". */
  agent: string;
  task: string;
  variables: Variable[];
  files: File[];
  tools: string[];
  /** Names that were lost with the previous sandbox. */
  lost: string[];
  /** The rules of the policy, each with its file and line. */
  locks: string[];
  /** The pieces of the notebook and of files beside it that were sent to the model, or found and left out. */
  sent: Piece[];
  images: number;
  model: string;
  sandbox: string;
  approve: string;
  session: string;
  /** The run that this one continues, or "". */
  resumes: string;
  /** The model's context window in tokens; 0 if unknown. */
  window: number;
  boundary: Boundary | null;
  phase: Phase;
  progress: string;
  steps: Step[];
  notices: Notice[];
  answer: { step: number; text: string; is_text: boolean; uncomputed?: boolean } | null;
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
  locks: [],
  sent: [],
  images: 0,
  model: "",
  sandbox: "",
  approve: "",
  session: "",
  resumes: "",
  window: 0,
  boundary: null,
  phase: "opening",
  progress: "",
  steps: [],
  notices: [],
  answer: null,
  ended: null,
};

/** Returns the state after these events; deltas are taken to come after the last event. */
export function fold(events: readonly RunEvent[], deltas: readonly Delta[] = []): RunState {
  return deltas.reduce(foldDelta, events.reduce(foldEvent, EMPTY));
}

/** Returns the state after one more event. An event of another run, or of an unknown kind, changes nothing. */
export function foldEvent(state: RunState, event: RunEvent): RunState {
  if (state.run !== "" && event.run !== state.run) return foldCalled(state, event);
  const next = applyEvent(state, event);
  return next === state || next.progress === "" ? next : { ...next, progress: "" };
}

/** Folds an event of a managed agent's run, which is shown below the step that called it. */
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

function applyEvent(state: RunState, event: RunEvent): RunState {
  switch (event.event) {
    case "Asked":
      return asked(state, event);
    case "Sent":
      return { ...state, sent: event.pieces };
    case "Opened":
      return { ...state, boundary: event.boundary };
    case "Replied":
      return { ...withStep(noted(state, event), event.step, replied(event)), phase: "thinking" };
    case "Unparsed":
      return { ...withStep(state, event.step, unparsed(event)), phase: "thinking" };
    case "Trimmed":
      return { ...state, notices: [...state.notices, { step: event.step, text: trimmedText(event.steps) }] };
    case "Proposed":
      return { ...proposedIn(state, event), phase: "asking" };
    case "Installed":
      return { ...state, notices: [...state.notices, { step: event.step, text: installedText(event) }] };
    case "Granted":
      return { ...state, notices: [...state.notices, { step: event.step, text: grantedText(event) }] };
    case "Connected":
      return { ...state, notices: [...state.notices, { step: event.step, text: connectedText(event) }] };
    case "Checked":
      return { ...state, notices: [...state.notices, { step: event.step, text: checkedText(event) }] };
    case "Allowed":
      if (isQuestionAside(state, event)) return withoutQuestion(state, event);
      return allowedOn(withStep(state, event.step, allowed(event), event.call), event);
    case "Refused":
      if (isQuestionAside(state, event)) return withoutQuestion(state, event);
      return phaseAfter(refusedOn(withStep(state, event.step, refused(event), event.call), event), event.step);
    case "Called":
      return withStep(state, event.step, called(event));
    case "Observed":
      return phaseAfter(withStep(state, event.step, observed(event), event.call), event.step);
    case "Answered":
      return {
        ...withStep(state, event.step, answered),
        answer: { step: event.step, text: event.text, is_text: event.is_text ?? false, ...(event.uncomputed === true && { uncomputed: true }) },
      };
    case "Ended":
      return ended(state, event);
    case "Undone":
      return undone(state, event);
    case "Branched":
      return { ...state, notices: [...state.notices, { step: event.step, text: branchedText(event) }] };
    default:
      return state;
  }
}

/** Returns the state after one more piece of text. */
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
    case "display":
      return withStep(state, delta.step, (step) => ({ ...step, outputs: displayed(step.outputs, delta.text) }));
    default:
      return state;
  }
}

type Change = (step: Step) => Step;

/** Returns the state with a step, or a call of a step, changed; a new one is appended. */
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
    who: "",
    reason: "",
    output: "",
    outputs: [],
    observation: null,
    usage: null,
    duration: 0,
    runs: [],
    tools: [],
    undone: false,
  };
}

function asked(state: RunState, event: Asked): RunState {
  const { run, task, variables, model, sandbox, approve, session, resumes = "", files = [], tools = [], lost = [], locks = [], agent = "" } = event;
  return { ...state, run, agent, task, variables, files, tools, lost, locks, images: event.images.length, model, sandbox, approve, session, resumes, phase: "thinking" };
}

function noted(state: RunState, { step, note = "", window = 0 }: Replied): RunState {
  const known = window > 0 ? { ...state, window } : state;
  return note === "" ? known : { ...known, notices: [...state.notices, { step, text: note }] };
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
  if (ASIDE.has(event.kind)) return withStep(state, n, proposed(event), call);
  const main = state.steps.findLast((step) => step.n === n && step.call === 0);
  if (main !== undefined && main.status !== "thinking") return withStep(state, n, proposed(event), call); // a program makes the call
  // The text that the model sends with its calls is the step's own thought.
  const begun = withStep(state, n, (step) => ({ ...step, status: "done", kind: "call", reply: "", thought }));
  return withStep(begun, n, proposed({ ...event, thought: "" }), call);
}

const UNDECIDED = { edited: null, sha256: "", by: "", scope: "", comment: "", offer: "", who: "", reason: "" };

function proposed({ kind, thought, text, fingerprint, findings }: Proposed): Change {
  return (step) => ({ ...step, ...UNDECIDED, status: "pending", reply: "", kind, thought, code: text, fingerprint, findings });
}

function allowed({ text, sha256, by, edited, scope, comment, kind, offer = "", who = "" }: Allowed): Change {
  const status = kind === "plan" ? "done" : "allowed";
  return (step) => ({ ...step, status, edited: edited ? text : null, sha256, by, scope, comment, offer, who });
}

/** The phase after an approval. After a question about the budget or a link, the step itself is still to come. */
function allowedOn(state: RunState, { kind, step: n, call = 0 }: Allowed): RunState {
  if (kind === "plan") return { ...state, phase: "thinking" };
  const asked = state.steps.find((step) => step.n === n && step.call === call);
  if (kind === "context") return { ...state, steps: state.steps.filter((step) => step !== asked), phase: "thinking" }; // the event `Sent` shows it
  if (kind !== "budget" && kind !== "link") return { ...state, phase: "running" };
  const notice = { step: n, text: `${asked?.code ?? ""}${kind === "link" ? ": it was allowed." : " It was allowed."}` };
  return { ...state, steps: state.steps.filter((step) => step !== asked), notices: [...state.notices, notice], phase: "thinking" };
}

/** If sending the notebook's cells was refused, the run continues without them. */
function refusedOn(state: RunState, { step: n, call = 0, then }: Refused): RunState {
  const asked = state.steps.find((step) => step.n === n && step.call === call);
  if (asked?.kind !== "context" || then !== "continue") return state;
  return { ...state, steps: state.steps.filter((step) => step !== asked), notices: [...state.notices, { step: n, text: NOT_SENT }] };
}

const NOT_SENT = "The cells of the notebook were not sent to the model.";

interface Decided {
  step: number;
  call?: number;
}

function isQuestionAside(state: RunState, { step: n, call = 0 }: Decided): boolean {
  return state.steps.some((step) => step.n === n && step.call === call && ASIDE.has(step.kind));
}

/** Kinds of questions that do not come from the model. */
const ASIDE: ReadonlySet<Kind> = new Set<Kind>(["output", "host"]);

/** Removes a decided question about a check or a host: another event reports what was done. */
function withoutQuestion(state: RunState, { step: n, call = 0 }: Decided): RunState {
  return phaseAfter({ ...state, steps: state.steps.filter((step) => step.n !== n || step.call !== call) }, n);
}

const WHERE = { model: "the text for the model", answer: "the answer", saved: "what is saved" };
const DONE = { pass: "Passed as it is", redact: "Redacted", refuse: "Refused" };

function connectedText({ host, port, sent, received, duration, refused = "", credentials = [], times }: Connected): string {
  const place = port === 0 ? host || "a host" : `${host}:${port}`;
  if (refused !== "") return `No connection to ${place}${times > 1 ? ` (${times} times)` : ""}: ${refused}.`;
  const key = credentials.length > 0 ? `, with the credential ${credentials.join(", ")}` : "";
  const size = `${counted(sent)} bytes sent, ${counted(received)} received`;
  return `${times > 1 ? `${times} connections` : "Connected"} to ${place}: ${size}, ${duration.toFixed(3)} s${key}.`;
}

function counted(bytes: number): string {
  return bytes.toLocaleString("en-US");
}

function checkedText({ at, to, check, found, action, why }: Checked): string {
  const where = at === "tools" ? `what is passed to ${to}` : WHERE[at];
  const counts = Object.entries(found).map(([kind, number]) => `${kind} (${number})`);
  return `${check} found in ${where}: ${counts.join(", ")}. ${DONE[action]}${why === "" ? "" : ` (${why})`}.`;
}

/** The phase after a call: if a program made the call, that program goes on. */
function phaseAfter(state: RunState, n: number): RunState {
  const main = state.steps.findLast((step) => step.n === n && step.call === 0);
  return { ...state, phase: main?.status === "allowed" || main?.status === "running" ? "running" : "thinking" };
}

function refused({ reason, by, who = "" }: Refused): Change {
  return (step) => ({ ...step, status: "refused", reason, by, who });
}

function printed(step: Step, text: string): Step {
  return { ...step, status: step.status === "allowed" ? "running" : step.status, output: grown(step.output, text) };
}

/** Limit for one streamed text. The kernel sends fewer characters, and says so. */
const MAX_STREAMED_CHARS = 250_000;

function grown(before: string, text: string): string {
  const cleared = text.lastIndexOf(CLEAR);
  if (cleared >= 0) return grown("", text.slice(cleared + 1));
  return before.length >= MAX_STREAMED_CHARS && !text.includes("\r") ? before : pieceOf(before + text).slice(0, MAX_STREAMED_CHARS);
}

/** What `clear_output` prints: the text before it is gone. The same as in `supervisor/meters.py`. */
const CLEAR = "\ufdef";

/** Drops text that a carriage return has overwritten, but keeps a leading one. The same as `drop_overwritten_piece` in `supervisor/meters.py`. */
function pieceOf(text: string): string {
  if (!text.includes("\r")) return text;
  const [first = "", ...rest] = text.split("\n");
  const last = lastState(first);
  return [last === first ? first : `\r${last}`, ...rest.map(lastState)].join("\n");
}

const CONTROL = /[\x00-\x1f\x7f]/;

function lastState(line: string): string {
  let end = line.length;
  while (end > 0 && CONTROL.test(line[end - 1] as string)) end--; // control characters overwrite nothing
  return line.slice(line.slice(0, end).lastIndexOf("\r") + 1);
}

/** The outputs of a running step after one more message about them. */
function displayed(before: readonly Bundle[], text: string): readonly Bundle[] {
  const { at, count, data } = JSON.parse(text) as { at: number; count: number; data: Bundle["data"] | null };
  const kept = before.slice(0, count);
  return data === null || at > kept.length ? kept : [...kept.slice(0, at), { data }, ...kept.slice(at + 1)];
}

function called({ call, name, text, result, error, duration, times }: Called): Change {
  return (step) => ({ ...step, tools: [...step.tools, { call, name, text, result, error, duration, times }] });
}

function observed(event: Observed): Change {
  const { stdout, result, outputs, error, changed, is_final_answer, dropped, state_lost, duration, files = [], rolled_back = false, places = [] } = event;
  const observation = { stdout, result, outputs, error, changed, is_final_answer, dropped, state_lost, duration, files, rolled_back, places };
  return (step) => ({ ...step, status: "done", output: "", outputs: [], observation });
}

/** A reply that is the answer itself has no proposal; it completes its step. */
function answered(step: Step): Step {
  return step.status === "thinking" ? { ...step, status: "done" } : step;
}

function ended(state: RunState, event: Ended): RunState {
  const { state: how, steps: count, usage, duration, error, cut, receipt = {} } = event;
  const steps = state.steps.map((step) => (OPEN.has(step.status) ? { ...step, status: "cut" as const } : step));
  return { ...state, steps, phase: "ended", ended: { state: how, steps: count, usage, duration, error, cut, receipt } };
}

function branchedText({ step, asked: n }: Branched): string {
  return `For step ${step} the model was asked for ${n} further idea${n === 1 ? "" : "s"}.`;
}

function installedText({ packages, index }: Installed): string {
  return `Installed for this session from ${index}: ${packages.map(({ name, version }) => `${name} ${version}`).join(", ")}.`;
}

function grantedText({ grants, revoked = false }: Granted): string {
  const named = grants.map(({ kind, name, scope }) => `${kind} ${name}, ${SCOPES[scope] ?? scope}`);
  return `${revoked ? "Taken back" : "Allowed by you"}: ${named.join(", ")}.`;
}

function undone(state: RunState, event: Undone): RunState {
  const steps = state.steps.map((step) => (step.n > event.step ? { ...step, undone: true } : step));
  return { ...state, steps, notices: [...state.notices, { step: event.step, text: undoneText(event) }] };
}

/** The notice about undone steps: which, how, and what was not undone. */
function undoneText({ step, how, differs, uncovered, stays }: Undone): string {
  const after = step > 0 ? `What ran after step ${step}` : "This run";
  const by = how === "copy" ? "a copy of the sandbox took over" : "the steps before it ran once more in a new sandbox";
  const sentences = [`${after} was taken back: ${by}.`];
  if (differs.length > 0) sentences.push(`Run again, these steps printed something else: ${differs.join(", ")}.`);
  if (uncovered !== "") sentences.push(`The files in the work folder stay as they are: ${uncovered}.`);
  sentences.push("What was pulled into the notebook or kept as a file stays.");
  if (stays.length > 0) sentences.push(`This stays, too: ${stays.join("; ")}.`);
  return sentences.join(" ");
}

const SCOPES: Record<string, string> = { once: "once", run: "for this run", session: "for this session", notebook: "for this notebook" };

const OPEN: ReadonlySet<Status> = new Set(["thinking", "pending", "allowed", "running"]);

function trimmedText(steps: readonly number[]): string {
  const which = steps.length === 1 ? `step ${steps[0]}` : `steps ${steps.join(", ")}`;
  return `The output of ${which} is no longer shown to the model: the history outgrew its prompt.`;
}
