// What happened, as values: the JSON that `smolcell/events.py` writes of its events.
// The two files change together; `tests/contract/events.json` is folded on both sides.

export type Kind = "code" | "call" | "plan" | "budget" | "question" | "context" | "output" | "host";
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
  /** Mounted, and not copied. */
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
  /** "full", "full, reduced" or "guarded". Missing in runs that an older version saved, as the next two. */
  python?: string;
  python_reason?: string;
  libraries?: string[];
  /** What the person should know about the imports. */
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
  /** The run that called this one: that of a manager. */
  parent?: string;
  parent_step?: number;
  parent_call?: number;
  /** Names that went with the sandbox of before; missing in runs that an older version saved. */
  lost?: string[];
  /** What code, or the model, may call on the kernel's side; missing in runs that an older version saved. */
  tools?: string[];
  /** What the policy sets, with the file and the line. */
  locks?: string[];
  /** A program that was taken back, to be done in another way; what the person said about it. */
  instead?: string;
  comment?: string;
}

/** Something of the notebook, or of a file beside it, that the model is sent; `text` is exactly what is sent. */
export interface Piece {
  kind: "cell" | "output" | "error" | "schema" | "file" | "instructions" | "servers";
  name: string;
  text: string;
  size: number;
  sha256: string;
  /** Who chose it: "person", "notebook", "setting", "task" or "trust". */
  by?: string;
  /** What was cut, what starts, or why it is not used. */
  note?: string;
  used: boolean;
}

/** What the model is sent with the task; pieces that are not `used` were found and left out. */
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
  /** What the person should know about this reply; missing in runs that an older version saved. */
  note?: string;
  /** Tools that the model calls by its protocol; missing in runs that an older version saved. */
  calls?: { name: string; arguments: string; id: string }[];
  /** Tokens that the model takes; missing where it is not known. */
  window?: number;
}

export interface Unparsed {
  event: "Unparsed";
  run: string;
  step: number;
  reason: string;
}

export interface Trimmed {
  event: "Trimmed";
  run: string;
  step: number;
  steps: number[];
}

/** An output check found something on its way out. */
export interface Checked {
  event: "Checked";
  run: string;
  step: number;
  at: "model" | "answer" | "saved" | "tools";
  check: string;
  /** How many, by kind. */
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

/** A person granted something, or took it back. */
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

/** The code connected to a host, or was refused, and the connection is over. */
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
  /** That the step wrote; missing in runs that an older version saved. */
  files?: File[];
  call?: number;
  /** It failed, and what it changed was taken back. */
  rolled_back?: boolean;
}

export interface Answered {
  event: "Answered";
  run: string;
  step: number;
  text: string;
  is_text?: boolean;
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
  /** What the run used, as far as it is not empty; missing in runs that an older version saved. */
  receipt?: Receipt;
}

/** The user took steps back: what came after `step` counts no more; 0 for the whole run. */
export interface Undone {
  event: "Undone";
  run: string;
  step: number;
  how: "copy" | "replay";
  differs: number[];
  uncovered: string;
  stays: string[];
}

/** The model was asked for further ideas for a step; each is proposed as a call. */
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
  /** Seconds of the model, of waiting for the person, and of the code. */
  timings?: Partial<Record<"model" | "waiting" | "code", number>>;
  /** The journal's chain before the end of the run, and digests. */
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

/** A piece of something under way; the event that ends it supersedes it. */
export interface Delta {
  channel: "reply" | "reasoning" | "output" | "display" | "progress";
  text: string;
  step: number;
  /** The managed agent's run that it belongs to; missing where that is the card's own. */
  run?: string;
}
