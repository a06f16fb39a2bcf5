// Announcements for screen readers: a step waits, is done or has failed; how the run ended. Streamed text is not announced,
// because screen readers would repeat it with every word.

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
  private readonly announced = new Set<string>();
  private readonly handled = new WeakSet<Step>(); // a step object never changes

  constructor() {
    this.el.setAttribute("aria-live", "polite");
    this.el.setAttribute("role", "status");
  }

  /** Announces news of the run, once. `waiting` is the step that this page may decide about, of the run `of`. */
  announce(state: RunState, waiting: Step | undefined, of = ""): void {
    const changed = state.steps.filter((step) => !this.handled.has(step));
    for (const step of changed) this.handled.add(step);
    const now = [...changed.flatMap(outcome), ...(waiting === undefined ? [] : [asking(waiting, of)]), ...ending(state)];
    const fresh = now.filter(([key]) => !this.announced.has(key));
    for (const [key] of fresh) this.announced.add(key);
    const last = fresh.at(-1); // only the newest: a page that joins late does not announce the past
    if (last !== undefined) this.el.textContent = last[1];
  }
}

type News = [key: string, text: string];

function outcome(step: Step): News[] {
  const { observation } = step;
  if (observation === null || step.call > 0) return [];
  const how = observation.error === null ? "is done" : `ended with an error: ${readable(observation.error.type)}`;
  return [[`done ${step.n}`, `Step ${step.n} ${how}.`]];
}

function asking(step: Step, run: string): News {
  const warnings = step.findings.filter((finding) => finding.risk !== "none").length;
  const what = step.kind === "code" ? `${count(step.code.split("\n").length, "line")} of Python` : `a ${step.kind}`;
  return [`asks ${run} ${step.fingerprint} ${step.n}`, `Step ${step.n} waits for your decision: ${what}${warnings > 0 ? `, ${count(warnings, "warning")}` : ""}.`];
}

function ending({ ended }: RunState): News[] {
  return ended === null ? [] : [["ended", ENDS[ended.state] ?? "The run is over."]];
}
