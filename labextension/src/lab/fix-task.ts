// Writes the task that explains or fixes a cell. The cell's code and error are quoted so that their content cannot end the quotation.

import { readable } from "../core/text";

const MAX_SOURCE_CHARS = 12_000;
const MAX_TRACEBACK_CHARS = 8_000;

/** Metadata of a cell that was written to fix another cell: the id of that cell. */
export const FIXES_METADATA = "smolcell-fixes";

/** The parts of a cell that the task quotes. */
export interface QuotedCell {
  source: string;
  /** The error among its outputs, or "". */
  error: string;
  /** The notebook's variables that it uses; they are passed to the sandbox. */
  variables?: readonly string[];
}

export const FIX_INSTRUCTIONS = "Run the whole corrected cell in the sandbox first. Then answer in words, and end with the same cell in one block of Python.";

/** The text of an agent cell that asks to explain or fix another cell.
 *
 * The fence of a quotation is longer than any run of backticks in it. Invisible characters are written as escapes, so that the
 * user reads exactly what the model gets. `@name` in a fenced block passes no variable.
 */
export function explainTask({ source, error, variables = [] }: QuotedCell, options: string): string {
  const line = variables.length === 0 ? options : `${options} -i ${variables.join(",")}`;
  const quoted = fenced("python", cutMiddle(readable(source), MAX_SOURCE_CHARS));
  if (error === "") return cellText(line, `Explain what this cell does, and what is wrong with it, if anything is.\n\n${quoted}`);
  const trace = fenced("text", cutStart(readable(shortenTraceback(plain(cutStart(error, 16 * MAX_TRACEBACK_CHARS)))), MAX_TRACEBACK_CHARS));
  const task = "Explain why this cell fails, and give code that works in its place.";
  return cellText(line, `${task}\n\n${quoted}\n\nIt ended with:\n\n${trace}\n\n${FIX_INSTRUCTIONS}`);
}

/** Shortens a traceback to the frames of cells and the innermost frame; library frames in between are counted. */
export function shortenTraceback(traceback: string): string {
  const parts = traceback.split(/\n(?=(?:Cell In|Input In|File )\S*)|\n\n/);
  const isLibrary = (part: string): boolean => part.startsWith("File ");
  const innermost = parts.findLastIndex((part) => isLibrary(part) || /^(Cell|Input) In/.test(part));
  const kept: string[] = [];
  let left = 0;
  const addCount = (): void => {
    if (left > 0) kept.push(`[\u2026 ${left} ${left === 1 ? "frame" : "frames"} of libraries left out \u2026]`);
    left = 0;
  };
  parts.forEach((part, at) => {
    if (isLibrary(part) && at !== innermost) left++;
    else {
      addCount();
      kept.push(part);
    }
  });
  return kept.join("\n\n");
}

/** The text of an agent cell: the option line, and the task below. */
export function cellText(options: string, task: string): string {
  const line = options.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return `%%agent${line === "" ? "" : ` ${line}`}\n${task}`;
}

/** The error among a cell's outputs: its traceback, or else its name and message; "" if there is none. */
export function errorOf(outputs: readonly unknown[]): string {
  for (const output of outputs) {
    const { output_type: kind, traceback, ename, evalue } = (output ?? {}) as Record<string, unknown>;
    if (kind !== "error") continue;
    const lines = Array.isArray(traceback) ? traceback.filter((line) => typeof line === "string") : [];
    return lines.length > 0 ? lines.join("\n") : [ename, evalue].filter((word) => typeof word === "string").join(": ");
  }
  return "";
}

function fenced(language: string, text: string): string {
  const whole = text.replace(/\p{Cs}|\n+$/gu, ""); // a cut text may begin or end with half a surrogate pair
  const longest = Math.max(0, ...[...whole.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${whole}\n${fence}`;
}

/** Removes terminal colours and normalizes line ends. */
function plain(text: string): string {
  return text.replace(/\x1b\[[0-9;:?]*[A-Za-z]/g, "").replace(/\r\n?/g, "\n");
}

function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  return `${text.slice(0, half)}\n[\u2026 ${text.length - 2 * half} characters are left out \u2026]\n${text.slice(-half)}`;
}

function cutStart(text: string, max: number): string {
  return text.length <= max ? text : `[\u2026 ${text.length - max} characters are left out \u2026]\n${text.slice(-max)}`;
}
