// What happened, as values: the JSON that `smolcell/codec.py` writes of `smolcell/events.py`.
// The two files change together; `tests/contract/events.json` is folded on both sides.

export type Kind = "code" | "call" | "plan" | "budget" | "question";
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
}

export interface Refused {
  event: "Refused";
  run: string;
  step: number;
  reason: string;
  by: string;
  then: "continue" | "refused" | "stopped";
  call?: number;
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
}

export interface Answered {
  event: "Answered";
  run: string;
  step: number;
  text: string;
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
}

export type RunEvent =
  | Asked
  | Opened
  | Replied
  | Unparsed
  | Trimmed
  | Proposed
  | Allowed
  | Refused
  | Called
  | Observed
  | Answered
  | Ended;

/** A piece of something under way; the event that ends it supersedes it. */
export interface Delta {
  channel: "reply" | "reasoning" | "output" | "progress";
  text: string;
  step: number;
  /** The managed agent's run that it belongs to; missing where that is the card's own. */
  run?: string;
}
