// The contract: the same runs and states as `tests/contract/test_fold.py` reads.

import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/core/events";
import { fold, foldDelta, foldEvent } from "../../src/core/fold";
import { runs } from "../contract";

describe("fold", () => {
  it.each(runs.map((run) => [run.name, run] as const))("%s", (_name, run) => {
    expect(fold(run.events, run.deltas)).toEqual(run.state);
  });

  it("ignores an event of an unknown kind", () => {
    const state = fold(runs[0]!.events);
    expect(foldEvent(state, { event: "Invented", run: state.run } as unknown as RunEvent)).toBe(state);
  });

  it("limits streamed text", () => {
    const deltas = Array.from({ length: 300 }, () => ({ channel: "output" as const, step: 1, text: "x".repeat(1000) }));
    expect(fold([], deltas).steps[0]!.output).toHaveLength(250_000);
  });

  it("keeps the objects of the other steps", () => {
    const state = fold(runs[0]!.events);
    const next = foldDelta(state, { channel: "reply", step: 3, text: "x" });
    expect(next.steps.slice(0, 2)).toEqual(state.steps);
    expect(next.steps[0]).toBe(state.steps[0]);
    expect(state.steps).toHaveLength(2);
  });
});
