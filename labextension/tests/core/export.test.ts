// A finished run as ordinary cells: the notebook inserts them, or the person copies them.

import { beforeEach, expect, it, vi } from "vitest";
import { INSERT } from "../../src/core/export";
import { runs } from "../contract";
import { Page } from "../page";

const NAME = "Write steps as cells";

beforeEach(() => void vi.useFakeTimers());

function ended(): Page {
  const page = new Page();
  page.push(...runs[0]!.events);
  return page;
}

/** The button; undefined where none is shown. */
function button(page: Page): HTMLButtonElement | undefined {
  const all = [...page.el.querySelectorAll("button")].filter((one) => one.textContent === NAME && one.closest("[hidden]") === null);
  return all[0];
}

/** Presses the button, and answers as the kernel does. */
function answered(page: Page, cells: string[], why = "", id?: string): HTMLElement {
  button(page)!.click();
  const sent = page.sent.at(-1)!;
  expect(sent).toEqual({ type: "export", id: sent.id, run: page.el.querySelector<HTMLElement>("[data-run]")!.dataset["run"] });
  page.emit("msg:custom", { type: "cells", id: id ?? sent.id, cells, notes: ["a tool is missing\u200b"], why });
  return page.el.querySelector<HTMLElement>(".smolcell-exported")!;
}

/** What a notebook is given that inserts it. */
function inserted(page: Page): unknown[] {
  const taken: unknown[] = [];
  page.el.addEventListener(INSERT, (event) => {
    taken.push((event as CustomEvent).detail);
    event.preventDefault();
  });
  return taken;
}

it("is offered once the run is over, and not before", () => {
  const page = new Page();
  page.push(...runs[0]!.events.slice(0, -1));
  expect(button(page)).toBeUndefined();
  page.push(runs[0]!.events.at(-1)!);
  expect(button(page)?.disabled).toBe(false);
});

it("is passed to the notebook, which confirms the insertion", () => {
  const page = ended();
  const taken = inserted(page);
  const said = answered(page, ["a = 1", "<b>2</b>"]);
  expect(taken).toEqual([["a = 1", "<b>2</b>"]]);
  expect(said.textContent).toBe("2 cells below.a tool is missing\\u{200b}");
  expect(button(page)?.disabled).toBe(false);
});

it("is shown as text to copy if no notebook takes it", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
  const said = answered(ended(), ["a = 1", "'<b>\u200b'"]);
  expect(said.querySelector("pre")?.textContent).toBe("a = 1\n\n'<b>\\u{200b}'");
  expect(said.querySelector("b")).toBeNull();
  [...said.querySelectorAll("button")].find((one) => one.textContent === "Copy")!.click();
  expect(writeText).toHaveBeenCalledWith("a = 1\n\n'<b>\u200b'");
  vi.unstubAllGlobals();
});

it("shows the reason if there is none", () => {
  expect(answered(ended(), [], "nothing ran").textContent).toBe("Not exported: nothing ran");
});

it("reports a timeout, and takes a late answer", () => {
  const page = ended();
  const taken = inserted(page);
  const said = page.el.querySelector(".smolcell-exported")!;
  button(page)!.click();
  expect(said.textContent).toBe("Asking the kernel\u2026");
  vi.advanceTimersByTime(10_000);
  expect(said.textContent).toMatch(/^No kernel answered yet: it is busy with another cell, or gone/);
  page.emit("msg:custom", { type: "cells", id: page.sent.at(-1)!.id, cells: ["late"], notes: [], why: "" });
  vi.advanceTimersByTime(10_000);
  expect([taken, said.textContent]).toEqual([[["late"]], "1 cell below."]);
});

it("inserts the cells once, whatever clicks and late answers come", () => {
  const page = ended();
  const taken = inserted(page);
  const asked = (): string[] => page.sent.filter(({ type }) => type === "export").map(({ id }) => id!);
  button(page)!.click();
  button(page)!.click();
  expect(asked()).toHaveLength(1);
  vi.advanceTimersByTime(10_000);
  button(page)!.click();
  for (const id of asked()) page.emit("msg:custom", { type: "cells", id, cells: [id], notes: [], why: "" });
  expect(asked()).toHaveLength(2);
  expect(taken).toEqual([[asked()[1]]]);
});

it("reports at once that the kernel is gone", () => {
  const page = ended();
  page.deaf = true;
  button(page)!.click();
  expect(page.el.querySelector(".smolcell-exported")!.textContent).toMatch(/^The run's kernel is gone\./);
});

it("ignores answers to requests of another page", () => {
  const page = ended();
  const seen = vi.fn();
  page.el.addEventListener(INSERT, seen);
  answered(page, ["a = 1"], "", "somebody-else");
  expect(seen).not.toHaveBeenCalled();
});
