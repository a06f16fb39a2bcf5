// Figures as a person reads them.

import type { Usage } from "./events";

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

/** The parts that say something, with dots between. */
export function joined(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(" \u00b7 ");
}
