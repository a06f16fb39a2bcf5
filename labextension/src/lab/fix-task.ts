// The task that is written for a person: about a cell and what it raised. Both are quoted, whatever they hold.

import { readable } from "../core/text";

const MAX_SOURCE_CHARS = 12_000; // characters
const MAX_TRACEBACK_CHARS = 8_000;

/** The metadata of a cell that was written to mend another: the id of that one. */
export const FIXES_METADATA = "smolcell-fixes";

/** What a cell holds, as far as it concerns the task. */
export interface QuotedCell {
  source: string;
  /** The error among its outputs, if there is one. */
  error: string;
  /** The notebook's variables that it uses; they are handed in. */
  variables?: readonly string[];
}

export const FIX_INSTRUCTIONS = "Run the whole corrected cell in the sandbox first. Then answer in words, and end with the same cell in one block of Python.";

/** The text of a cell that gives the task to explain or mend another.
 *
 * The quotation stays in its fence: that is longer than any run of backticks in it. What cannot be seen is written as
 * escapes, so that the person reads all that the model will; and names in a fenced block hand no variable in.
 */
export function explainTask({ source, error, variables = [] }: QuotedCell, options: string): string {
  const line = variables.length === 0 ? options : `${options} -i ${variables.join(",")}`;
  const quoted = fenced("python", middleOut(readable(source), MAX_SOURCE_CHARS));
  if (error === "") return cellText(line, `Explain what this cell does, and what is wrong with it, if anything is.\n\n${quoted}`);
  const trace = fenced("text", endOf(readable(shortenTraceback(plain(endOf(error, 16 * MAX_TRACEBACK_CHARS)))), MAX_TRACEBACK_CHARS));
  const task = "Explain why this cell fails, and give code that works in its place.";
  return cellText(line, `${task}\n\n${quoted}\n\nIt ended with:\n\n${trace}\n\n${FIX_INSTRUCTIONS}`);
}

/** A traceback with the frames of cells and the innermost one; those of libraries in between are counted. */
export function shortenTraceback(traceback: string): string {
  const parts = traceback.split(/\n(?=(?:Cell In|Input In|File )\S*)|\n\n/);
  const isLibrary = (part: string): boolean => part.startsWith("File ");
  const innermost = parts.findLastIndex((part) => isLibrary(part) || /^(Cell|Input) In/.test(part));
  const kept: string[] = [];
  let left = 0;
  const tell = (): void => {
    if (left > 0) kept.push(`[\u2026 ${left} ${left === 1 ? "frame" : "frames"} of libraries left out \u2026]`);
    left = 0;
  };
  parts.forEach((part, at) => {
    if (isLibrary(part) && at !== innermost) left++;
    else {
      tell();
      kept.push(part);
    }
  });
  return kept.join("\n\n");
}

/** An agent's cell: the option line, and the task below. */
export function cellText(options: string, task: string): string {
  const line = options.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return `%%agent${line === "" ? "" : ` ${line}`}\n${task}`;
}

/** Is there an error among a cell's outputs? Its traceback, or else its name and what it says. */
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
  const whole = text.replace(/\p{Cs}|\n+$/gu, ""); // what was cut may begin or end with half a character
  const longest = Math.max(0, ...[...whole.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${whole}\n${fence}`;
}

/** Without the colours of terminals, and with one kind of line end. */
function plain(text: string): string {
  return text.replace(/\x1b\[[0-9;:?]*[A-Za-z]/g, "").replace(/\r\n?/g, "\n");
}

function middleOut(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}\n[\u2026 ${text.length - 2 * half} characters are left out \u2026]\n${text.slice(-half)}`;
}

function endOf(text: string, most: number): string {
  return text.length <= most ? text : `[\u2026 ${text.length - most} characters are left out \u2026]\n${text.slice(-most)}`;
}
