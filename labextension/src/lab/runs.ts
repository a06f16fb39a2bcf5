// The active runs of a kernel, as its `smolcell/notebook/activity.py` reports them by a comm or through the server; validated.

export type State = "thinking" | "pending" | "running";

/** One run that is not over. */
export interface Run {
  readonly run: string;
  readonly session: string;
  readonly task: string;
  readonly state: State;
  readonly step: number;
  /** Seconds of the Unix epoch. */
  readonly began: number;
  readonly since: number;
  /** The notebook cell, the page that ran it, and the widget of its card; "" if unknown. */
  readonly cell: string;
  readonly client: string;
  readonly widget: string;
  /** The id of its kernel. */
  readonly kernel: string;
  /** The process of its kernel, "id:start"; missing if the kernel itself reported the run. */
  readonly process?: string;
}

const STATES: readonly unknown[] = ["thinking", "pending", "running"];
const MAX_RUNS = 200;

/** The runs in a kernel's message; invalid entries are ignored. */
export function readRuns(value: unknown, kernel: string, process?: string): Run[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_RUNS).flatMap((one: unknown) => readRun(one, kernel, process) ?? []);
}

function readRun(value: unknown, kernel: string, process?: string): Run | null {
  if (typeof value !== "object" || value === null) return null;
  const { run, session, task, state, step, began, since, cell, client, widget } = value as Record<string, unknown>;
  const texts = [run, session, task, cell, client, widget].every((text) => typeof text === "string");
  const numbers = [step, began, since].every((value) => Number.isFinite(value));
  return texts && numbers && STATES.includes(state) ? ({ ...value, kernel, process } as Run) : null;
}

/** Sorts waiting runs first, then by their start. */
export function sortRuns(runs: readonly Run[]): Run[] {
  const rank = (run: Run): number => (run.state === "pending" ? 0 : 1);
  return [...runs].sort((one, other) => rank(one) - rank(other) || one.began - other.began);
}

/** The state of the run in words. */
export function describeActivity(run: Run): string {
  const step = run.step === 0 ? "" : `step ${run.step} `;
  if (run.state === "pending") return `${step}waits for you`.trim();
  return run.state === "running" ? `${step}runs`.trim() : "thinks";
}

/** A time span in words. */
export function formatSpan(seconds: number): string {
  const units: readonly [number, string][] = [[86_400, "d"], [3600, "h"], [60, "min"]];
  for (const [size, unit] of units) if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`;
  return `${Math.max(0, Math.floor(seconds))} s`;
}

/** The process of a kernel ("id:start") in words. */
export function describeProcess(process: string): string {
  return process === "" ? "" : `process ${process.split(":")[0]}`;
}

/** The name of a notebook without its folders. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
