// The events of a run, as the JSON that `smolcell/events.py` writes.
// The two files change together; tests on both sides fold `tests/contract/events.json`.

export type Kind = "code" | "call" | "plan" | "budget" | "question" | "context" | "output" | "host" | "link";
export type EndState = "success" | "max_steps_error" | "refused" | "stopped" | "error";
export type Risk = "none" | "low" | "high";

export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cost: number | null;
}

export interface Variable {
  name: string;
  type: string;
  text: string;
}

/** A file in the sandbox's work folder; a folder's name ends in "/". */
export interface File {
  name: string;
  size: number;
  /** Mounted instead of copied. */
  read_only?: boolean;
}

export interface Finding {
  kind: string;
  text: string;
  line: number;
  risk: Risk;
}

export interface Wall {
  name: string;
  stands: boolean;
  detail: string;
}

export interface Boundary {
  sandbox: string;
  where: string;
  isolated: boolean;
  walls: Wall[];
  limits: Record<string, unknown>;
  imports: string[];
  hosts: string[];
  /** "full", "full, reduced" or "guarded". This field and the next two are missing in runs that an older version saved. */
  python?: string;
  python_reason?: string;
  libraries?: string[];
  /** A warning for the user about the imports. */
  warning?: string;
}

export interface Bundle {
  data: Record<string, string>;
}

export interface Fault {
  kind: "python" | "forbidden" | "limit" | "sandbox" | "stopped";
  type: string;
  message: string;
  line: number;
  traceback: string;
  hint?: string; // for the user: the next command to type
}

export interface Asked {
  event: "Asked";
  run: string;
  task: string;
  variables: Variable[];
  images: string[];
  model: string;
  sandbox: string;
  approve: string;
  session: string;
  /** The run that this one continues; missing in runs that an older version saved. */
  resumes?: string;
  /** Copied into the work folder; missing in runs that an older version saved. */
  files?: File[];
  /** The agent's name; missing in runs that an older version saved. */
  agent?: string;
  /** The run of the managing agent that called this one. */
  parent?: string;
  parent_step?: number;
  parent_call?: number;
  /** Names that were lost with the previous sandbox; missing in runs that an older version saved. */
  lost?: string[];
  /** Tools that code, or the model, may call outside the sandbox; missing in runs that an older version saved. */
  tools?: string[];
  /** The rules of the policy, each with its file and line. */
  locks?: string[];
  /** A program that was undone, to be retried in another way, and the user's comment on it. */
  instead?: string;
  comment?: string;
}

/** A part of the notebook, or of a file beside it, that is sent to the model; `text` is exactly what is sent. */
export interface Piece {
  kind: "cell" | "output" | "error" | "schema" | "file" | "instructions" | "servers";
  name: string;
  text: string;
  size: number;
  sha256: string;
  /** Chosen by: "person", "notebook", "setting", "task" or "trust". */
  by?: string;
  /** What was cut or is started, or why it is not used. */
  note?: string;
  used: boolean;
}

/** The pieces that are sent to the model with the task; those that are not `used` were found and left out. */
export interface Sent {
  event: "Sent";
  run: string;
  pieces: Piece[];
}

export interface Opened {
  event: "Opened";
  run: string;
  boundary: Boundary;
}

export interface Replied {
  event: "Replied";
  run: string;
  step: number;
  text: string;
  reasoning: string;
  usage: Usage;
  model: string;
  duration: number;
  /** A note for the user about this reply; missing in runs that an older version saved. */
  note?: string;
  /** Calls that the model made by its tool-calling protocol; missing in runs that an older version saved. */
  calls?: { name: string; arguments: string; id: string }[];
  /** The model's context window in tokens; missing if unknown. */
  window?: number;
}

export interface Unparsed {
  event: "Unparsed";
  run: string;
  step: number;
  reason: string;
  /** The model does not read the reply again. */
  dropped?: boolean;
}

export interface Trimmed {
  event: "Trimmed";
  run: string;
  step: number;
  steps: number[];
}

/** An output check found something in data that was about to leave. */
export interface Checked {
  event: "Checked";
  run: string;
  step: number;
  at: "model" | "answer" | "saved" | "tools";
  check: string;
  /** Number of findings, by kind. */
  found: Record<string, number>;
  action: "pass" | "redact" | "refuse";
  why: string;
  to: string;
}

export interface Proposed {
  event: "Proposed";
  run: string;
  step: number;
  text: string;
  kind: Kind;
  thought: string;
  findings: Finding[];
  /** Which call of the step, from 1; 0, and missing in older runs, is the step itself. */
  call?: number;
  fingerprint: string;
}

/** Packages were added to the sandbox: for this step, or (step 0) before the run. */
export interface Installed {
  event: "Installed";
  run: string;
  step: number;
  packages: { name: string; version: string; sha256: string }[];
  /** Where they came from: host names. */
  index: string;
}

/** The user granted something, or revoked it. */
export interface Granted {
  event: "Granted";
  run: string;
  step: number;
  grants: { kind: string; name: string; scope: string }[];
  revoked?: boolean;
}

export interface Allowed {
  event: "Allowed";
  run: string;
  step: number;
  text: string;
  sha256: string;
  by: string;
  kind: Kind;
  edited: boolean;
  scope: "step" | "run" | "kind";
  comment: string;
  call?: number;
  offer?: string; // what was done together with the approval
  who?: string; // the name of the person
}

export interface Refused {
  event: "Refused";
  run: string;
  step: number;
  reason: string;
  by: string;
  then: "continue" | "refused" | "stopped";
  call?: number;
  who?: string; // the name of the person
}

export interface Called {
  event: "Called";
  run: string;
  step: number;
  call: number;
  name: string;
  text: string;
  result: string;
  error: string;
  duration: number;
  times: number;
}

/** A finished or refused connection of the code to a host. */
export interface Connected {
  event: "Connected";
  run: string;
  step: number;
  host: string;
  port: number;
  sent: number;
  received: number;
  duration: number;
  refused?: string;
  credentials?: string[];
  times: number;
}

export interface Observed {
  event: "Observed";
  run: string;
  step: number;
  stdout: string;
  result: string;
  outputs: Bundle[];
  error: Fault | null;
  changed: string[];
  is_final_answer: boolean;
  dropped: number;
  state_lost: boolean;
  duration: number;
  /** Files that the step wrote; missing in runs that an older version saved. */
  files?: File[];
  call?: number;
  /** The step failed, and its changes were undone. */
  rolled_back?: boolean;
  /** The number of printed lines before each output; missing if all outputs come after the printed text. */
  places?: number[];
}

export interface Answered {
  event: "Answered";
  run: string;
  step: number;
  text: string;
  is_text?: boolean;
  /** No executed step produced the answer. */
  uncomputed?: boolean;
}

export interface Ended {
  event: "Ended";
  run: string;
  state: EndState;
  steps: number;
  usage: Usage;
  duration: number;
  error: string;
  cut: "" | "thinking" | "asking" | "running";
  /** What the run used, without empty fields; missing in runs that an older version saved. */
  receipt?: Receipt;
}

/** The user undid all steps after `step`; 0 undoes the whole run. */
export interface Undone {
  event: "Undone";
  run: string;
  step: number;
  how: "copy" | "replay";
  differs: number[];
  uncovered: string;
  stays: string[];
}

/** The model was asked for alternatives for a step; each is proposed as a call. */
export interface Branched {
  event: "Branched";
  run: string;
  step: number;
  asked: number;
  usage: Usage;
  duration: number;
}

export interface Receipt {
  imports?: string[];
  packages?: string[];
  hosts?: string[];
  files?: string[];
  grants?: string[];
  undone?: string[];
  errors_by_type?: Record<string, number>;
  tools_called?: Record<string, number>;
  /** Seconds spent by the model, waiting for the user, and running code. */
  timings?: Partial<Record<"model" | "waiting" | "code", number>>;
  /** The journal's hash chain before the end of the run, and digests. */
  record?: Record<string, string>;
}

export type RunEvent =
  | Asked
  | Sent
  | Opened
  | Replied
  | Unparsed
  | Trimmed
  | Proposed
  | Installed
  | Granted
  | Allowed
  | Refused
  | Called
  | Connected
  | Checked
  | Observed
  | Answered
  | Ended
  | Undone
  | Branched;

/** A streamed piece of something unfinished; the event that completes it replaces it. */
export interface Delta {
  channel: "reply" | "reasoning" | "output" | "display" | "progress";
  text: string;
  step: number;
  /** The managed agent's run that it belongs to; missing if it belongs to the card's own run. */
  run?: string;
}
