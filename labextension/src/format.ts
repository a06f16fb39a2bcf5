// Figures as a person reads them.

import type { File, Usage } from "./events";
import { readable } from "./text";

export function seconds(value: number): string {
  if (value > 0 && value < 0.05) return "< 0.1 s";
  if (value < 10) return `${value.toFixed(1)} s`;
  if (value < 60) return `${Math.round(value)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value) % 60} s`;
}

export function count(n: number, word: string): string {
  return `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
}

export function tokens(usage: Usage): string {
  const all = usage.input_tokens + usage.output_tokens;
  return all === 0 ? "" : `${usage.input_tokens.toLocaleString("en")} + ${usage.output_tokens.toLocaleString("en")} tokens`;
}

export function cost(usage: Usage): string {
  if (usage.cost === null) return "";
  return `$${usage.cost < 0.01 ? usage.cost.toFixed(4) : usage.cost.toFixed(2)}`;
}

export function bytes(size: number): string {
  if (size < 1000) return count(size, "byte");
  const power = Math.min(3, Math.floor(Math.log10(size) / 3));
  return `${(size / 1000 ** power).toPrecision(3)} ${["", "kB", "MB", "GB"][power]}`;
}

export function filesText(files: readonly File[]): string {
  return readable(files.map(({ name, size }) => `${name} (${bytes(size)})`).join(", "));
}

/** The parts that say something, with dots between. */
export function joined(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(" \u00b7 ");
}
