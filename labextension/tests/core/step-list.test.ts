// Calls, plans, budgets, and runs within a run: who may answer what, and where it is shown.

import { beforeEach, describe, expect, it, vi } from "vitest";
import type { RunEvent } from "../../src/core/events";
import { runs } from "../contract";
import { asked, Page, proposal } from "../page";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(document, "hasFocus").mockReturnValue(true);
});

const run = (name: string): RunEvent[] => runs.find((one) => one.name.startsWith(name))!.events;
const texts = (page: Page, selector: string): (string | null)[] => [...page.el.querySelectorAll(selector)].map((node) => node.textContent);

const child: RunEvent = { ...asked, event: "Asked", run: "r-1-1-1", task: "Deeper.", agent: "librarian", parent: "r", parent_step: 1, parent_call: 0 } as RunEvent;

describe("the run of a managed agent", () => {
  it("is shown within the step that called it, and nowhere else", () => {
    const page = new Page();
    page.push(...run("a manager"));
    const inner = [...page.el.querySelectorAll<HTMLElement>(".smolcell-run")];
    expect(inner.map((one) => one.dataset["run"])).toEqual(["m1-1-1", "m1-1-2", "m1-1-2-0-1"]);
    expect(inner[0]!.closest<HTMLElement>(".smolcell-step")!.dataset["step"]).toBe("1");
    expect(inner[0]!.querySelector(".smolcell-answer-prose")!.textContent).toBe("Emma");
    expect(texts(page, ".smolcell-card > .smolcell-answer .smolcell-answer-prose")).toEqual([]);
    expect(inner[2]!.parentElement!.closest<HTMLElement>(".smolcell-run")!.dataset["run"]).toBe("m1-1-2");
  });

  it("has its own buttons, whose answer names it", () => {
    const page = new Page();
    page.push(asked, proposal(1, "librarian('Deeper.')"));
    page.push({ event: "Allowed", run: "r", step: 1, text: "librarian('Deeper.')", sha256: "s", by: "person", kind: "code", edited: false, scope: "step", comment: "" });
    page.push(child);
    page.wait(proposal(1, "x = 1", { run: "r-1-1-1", fingerprint: "g1" }));
    expect(page.el.querySelectorAll(".smolcell-controls")).toHaveLength(1);
    expect(page.el.querySelector(".smolcell-run .smolcell-controls")).not.toBeNull();
    expect(page.el.querySelector(".smolcell-progress")!.textContent).toBe("Waiting for your decision.");
    page.button("Approve").click();
    expect(page.answers()).toMatchObject([{ run: "r-1-1-1", step: 1, fingerprint: "g1", choice: "approve" }]);
  });

  it("streams into its own step", () => {
    const page = new Page();
    page.push(asked, proposal(1, "librarian()"), child);
    page.stream({ channel: "reply", step: 1, text: "I look", run: "r-1-1-1" });
    expect(page.el.querySelector(".smolcell-run .smolcell-thought")!.textContent).toBe("I look");
  });
});

describe("calls", () => {
  const call = (n: number, fingerprint: string): RunEvent & { event: "Proposed" } =>
    proposal(1, "look('x')", { call: n, kind: "call", fingerprint, thought: n === 1 ? "I look twice." : "" });

  it("are steps of their own below the step, and only the one that waits has buttons", () => {
    const page = new Page();
    page.push(asked, call(1, "c1"));
    page.push({ event: "Refused", run: "r", step: 1, call: 1, reason: "", by: "person", then: "continue" });
    page.wait(call(2, "c2"));
    expect(texts(page, ".smolcell-step-title")).toEqual(["Step 1", "Step 1, call 1: a tool call", "Step 1, call 2: a tool call"]);
    expect(texts(page, ".smolcell-thought").filter((text) => text !== "")).toEqual(["I look twice."]);
    page.button("Approve").click();
    expect(page.answers()).toMatchObject([{ step: 1, fingerprint: "c2", choice: "approve" }]);
  });
});

describe("a plan", () => {
  it("is edited like code, and its button says so", () => {
    const page = new Page();
    page.push(asked);
    page.wait(proposal(1, "1. Look", { kind: "plan" }));
    page.button("Edit").click();
    const plan = page.el.querySelector("textarea")!;
    plan.value = "1. Look twice";
    plan.dispatchEvent(new Event("input"));
    page.button("Use edited plan").click();
    expect(page.answers()).toMatchObject([{ choice: "edit", text: "1. Look twice" }]);
  });
});

describe("a budget", () => {
  it("has two buttons and no keys, and leaves a note behind", () => {
    const page = new Page();
    page.push(asked);
    page.wait(proposal(2, "The budget is spent: steps 2 of 2. Go on, with as much again?", { kind: "budget" }));
    expect(page.buttons()).toEqual(["Go on", "Stop"]);
    page.key("a");
    expect(page.answers()).toEqual([]);
    page.button("Go on").click();
    expect(page.answers()).toMatchObject([{ choice: "approve" }]);
    page.push({ event: "Allowed", run: "r", step: 2, text: "", sha256: "s", by: "person", kind: "budget", edited: false, scope: "step", comment: "" });
    expect(texts(page, ".smolcell-step")).toEqual([]);
    expect(texts(page, ".smolcell-notices")[0]).toContain("It was allowed.");
  });
});

describe("a link out of its folder", () => {
  it("is shown with its real target, has two buttons and no keys, and leaves a note behind", () => {
    const page = new Page();
    page.push(asked);
    page.wait(proposal(0, "sales.csv is a link to /mnt/share/sales.csv", { kind: "link" }));
    expect(texts(page, ".smolcell-step")[0]).toContain("sales.csv is a link to /mnt/share/sales.csv");
    expect(texts(page, ".smolcell-step-title")).toEqual(["A link that leads elsewhere"]);
    expect(page.buttons()).toEqual(["Allow", "Stop"]);
    page.key("a");
    expect(page.answers()).toEqual([]);
    page.button("Allow").click();
    expect(page.answers()).toMatchObject([{ choice: "approve" }]);
    page.push({ event: "Allowed", run: "r", step: 0, text: "", sha256: "s", by: "person", kind: "link", edited: false, scope: "step", comment: "" });
    expect(texts(page, ".smolcell-step")).toEqual([]);
    expect(texts(page, ".smolcell-notices")[0]).toContain("sales.csv is a link to /mnt/share/sales.csv: it was allowed.");
  });
});

describe("a host", () => {
  const ask = proposal(1, "wants api.worldbank.org:443", { kind: "host", call: 1_000_001, fingerprint: "h1" });
  const offers = [
    { id: "run", label: "Approve and allow api.worldbank.org (this run)", choice: "approve" as const },
    { id: "never", label: "Never", choice: "refuse" as const },
  ];

  function asking(): Page {
    const page = new Page();
    page.push(asked, proposal(1, "get(x)"));
    page.push({ event: "Allowed", run: "r", step: 1, text: "get(x)", sha256: "s", by: "person", kind: "code", edited: false, scope: "step", comment: "" });
    page.wait(ask, { offers });
    return page;
  }

  it("is allowed once, for as long as an offer says, or never, by buttons and by no key", () => {
    const page = asking();
    expect(page.buttons()).toEqual(["Once", "Approve and allow api.worldbank.org (this run)", "Never", "Refuse", "Stop"]);
    page.key("a");
    expect(page.answers()).toEqual([]);
    page.button("Never").click();
    expect(page.answers()).toMatchObject([{ choice: "refuse", offer: "never", fingerprint: "h1" }]);
  });

  it("is removed from the card once decided, and the connection is reported", () => {
    const page = asking();
    page.push({ event: "Allowed", run: "r", step: 1, text: "", sha256: "s", by: "person", kind: "host", edited: false, scope: "step", comment: "", call: 1_000_001 });
    page.push({ event: "Connected", run: "r", step: 1, host: "api.worldbank.org", port: 443, sent: 1200, received: 3400, duration: 0.5, times: 1 });
    expect(texts(page, ".smolcell-step-title")).toEqual(["Step 1"]);
    expect(texts(page, ".smolcell-notices")[0]).toContain("Connected to api.worldbank.org:443: 1,200 bytes sent, 3,400 received, 0.500 s.");
  });
});

describe("hundreds of steps", () => {
  const numbers = (page: Page) => [...page.el.querySelectorAll<HTMLElement>(".smolcell-step")].map((step) => Number(step.dataset["step"]));
  const steps = (count: number) => Array.from({ length: count }, (_, at) => proposal(at + 1, "x", { fingerprint: `f${at + 1}` }));

  it("are in batches, in order, and the last one waits", () => {
    const page = new Page();
    page.push(asked, ...steps(119));
    page.wait(proposal(120, "x", { fingerprint: "f120" }));
    expect(numbers(page)).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
    expect(page.el.querySelector(".smolcell-steps")!.children).toHaveLength(52);
    page.button("Approve").click();
    expect(page.answers()).toMatchObject([{ step: 120, fingerprint: "f120", choice: "approve" }]);
  });

  it.each([49, 50, 51, 100])("become %i again, and more", (left) => {
    const page = new Page();
    page.push(asked, ...steps(119));
    const snapshot = { type: "snapshot", seq: 999, events: [asked, ...steps(left)], deltas: [], pending: null, live: true };
    page.emit("msg:custom", snapshot);
    expect(numbers(page)).toEqual(Array.from({ length: left }, (_, at) => at + 1));
    page.emit("msg:custom", { ...snapshot, seq: 1000, events: [asked, ...steps(102)] });
    expect(numbers(page)).toEqual(Array.from({ length: 102 }, (_, at) => at + 1));
    expect(page.el.querySelector(".smolcell-steps")!.children).toHaveLength(52);
  });
});
