// What is said to those who do not see the card: that a step waits, is done, or failed, and how the run ended. Never what
// streams: that would be read out word by word, over and over.

import { h } from "./dom";
import type { RunState, Step } from "./fold";
import { count, readable } from "./text";

const ENDS: Record<string, string> = {
  success: "The run is done.",
  max_steps_error: "The run stopped at its step limit.",
  refused: "The run ended without approval.",
  stopped: "The run was stopped.",
  error: "The run failed.",
};

export class Announcer {
  readonly el = h("div", "announcer");
  private readonly told = new Set<string>();
  private readonly heard = new WeakSet<Step>(); // what has been gone through does not change any more

  constructor() {
    this.el.setAttribute("aria-live", "polite");
    this.el.setAttribute("role", "status");
  }

  /** Says what is new in the run, once; `waiting` is the step that this page may decide about, of the run `of`. */
  tell(state: RunState, waiting: Step | undefined, of = ""): void {
    const changed = state.steps.filter((step) => !this.heard.has(step));
    for (const step of changed) this.heard.add(step);
    const now = [...changed.flatMap(outcome), ...(waiting === undefined ? [] : [asking(waiting, of)]), ...ending(state)];
    const fresh = now.filter(([key]) => !this.told.has(key));
    for (const [key] of fresh) this.told.add(key);
    const last = fresh.at(-1); // of a run that a page comes late to, the past is not read out
    if (last !== undefined) this.el.textContent = last[1];
  }
}

type News = [key: string, text: string];

function outcome(step: Step): News[] {
  const { observation } = step;
  if (observation === null || step.call > 0) return [];
  const said = observation.error === null ? "is done" : `ended with an error: ${readable(observation.error.type)}`;
  return [[`done ${step.n}`, `Step ${step.n} ${said}.`]];
}

function asking(step: Step, run: string): News {
  const warnings = step.findings.filter((finding) => finding.risk !== "none").length;
  const what = step.kind === "code" ? `${count(step.code.split("\n").length, "line")} of Python` : `a ${step.kind}`;
  return [`asks ${run} ${step.fingerprint} ${step.n}`, `Step ${step.n} waits for your decision: ${what}${warnings > 0 ? `, ${count(warnings, "warning")}` : ""}.`];
}

function ending({ ended }: RunState): News[] {
  return ended === null ? [] : [["ended", ENDS[ended.state] ?? "The run is over."]];
}
