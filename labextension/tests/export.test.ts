// A finished run as ordinary cells: the notebook inserts them, or the person copies them.

import { beforeEach, expect, it, vi } from "vitest";
import { INSERT } from "../src/export";
import { runs } from "./contract";
import { Page } from "./page";

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

it("is offered once the run is over, and not before", () => {
  const page = new Page();
  page.push(...runs[0]!.events.slice(0, -1));
  expect(button(page)).toBeUndefined();
  page.push(runs[0]!.events.at(-1)!);
  expect(button(page)?.disabled).toBe(false);
});

it("is handed up to the notebook, which says that it inserted the cells", () => {
  const page = ended();
  const taken: unknown[] = [];
  page.el.addEventListener(INSERT, (event) => {
    taken.push((event as CustomEvent).detail);
    event.preventDefault();
  });
  const said = answered(page, ["a = 1", "<b>2</b>"]);
  expect(taken).toEqual([["a = 1", "<b>2</b>"]]);
  expect(said.textContent).toBe("2 cells below.a tool is missing\\u{200b}");
  expect(button(page)?.disabled).toBe(false);
});

it("is shown as text to copy where no notebook takes it", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
  const said = answered(ended(), ["a = 1", "'<b>\u200b'"]);
  expect(said.querySelector("pre")?.textContent).toBe("a = 1\n\n'<b>\\u{200b}'");
  expect(said.querySelector("b")).toBeNull();
  [...said.querySelectorAll("button")].find((one) => one.textContent === "Copy")!.click();
  expect(writeText).toHaveBeenCalledWith("a = 1\n\n'<b>\u200b'");
  vi.unstubAllGlobals();
});

it("says why there is none, and that no kernel answered", () => {
  const page = ended();
  expect(answered(page, [], "nothing ran").textContent).toBe("Not exported: nothing ran");
  button(page)!.click();
  vi.advanceTimersByTime(4000);
  expect(page.el.querySelector(".smolcell-exported")?.textContent).toContain("No kernel answered");
});

it("takes no answer to a question of another page", () => {
  const page = ended();
  const seen = vi.fn();
  page.el.addEventListener(INSERT, seen);
  answered(page, ["a = 1"], "", "somebody-else");
  expect(seen).not.toHaveBeenCalled();
});
