// What a card offers for the runs to come: the next task, another model, and code in place of a failing cell.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { byPerson } from "../../src/core/decision-input";
import { FOLLOW_UP, cellLine } from "../../src/core/follow-up";
import { type FixableCell, FIX_TARGET, type FixTarget } from "../../src/core/fix";
import { runs } from "../contract";
import { Page } from "../page";

beforeEach(() => void vi.useFakeTimers());

function ended(prepare: (page: Page) => void = () => undefined): Page {
  const page = new Page();
  prepare(page);
  page.push(...runs[0]!.events);
  return page;
}

function said(page: Page, message: Record<string, unknown>): void {
  page.emit("msg:custom", { type: "reply", id: page.sent.at(-1)!.id, said: message });
}

describe("the next task", () => {
  it("is sent to the notebook by key or click, and shown for copying if none takes it", () => {
    const page = ended();
    const taken: unknown[] = [];
    const take = (event: Event): void => {
      taken.push((event as CustomEvent).detail);
      event.preventDefault();
    };
    page.el.addEventListener(FOLLOW_UP, take);
    const area = page.el.querySelector<HTMLTextAreaElement>(".smolcell-next-task")!;
    page.button("Ask").click();
    area.value = " And twice?\n";
    page.key("Enter", area, { shiftKey: true });
    page.key("Enter", area);
    expect([taken, area.value]).toEqual([[{ task: "And twice?", session: "default", byKey: true }], ""]);
    page.button("Try again").click();
    expect(taken[1]).toEqual({ task: null, session: "default", byKey: true });

    page.el.removeEventListener(FOLLOW_UP, take);
    area.value = "<b>?";
    page.button("Ask").click();
    expect([page.el.querySelector(".smolcell-by-hand pre")!.textContent, area.value]).toEqual(["%%agent\n<b>?", "<b>?"]);
  });

  it("cannot be sent by a script", () => {
    const page = ended();
    page.el.addEventListener(FOLLOW_UP, () => expect.fail("heard"));
    vi.mocked(byPerson).mockReturnValue(false);
    page.button("Try again").click();
    vi.mocked(byPerson).mockReturnValue(true);
  });
});

describe("the model", () => {
  it("shows context and cost, and lists models only on request", () => {
    const page = ended();
    expect(page.el.querySelector(".smolcell-spent")!.textContent).toBe("Context: 1,130 of 200,000 tokens (1 %) \u00b7 Cost so far: unknown");
    expect(page.sent.map(({ type }) => type).filter((type) => type.startsWith("model"))).toEqual([]);
    page.button("Change model").click();
    said(page, { models: [{ id: "a", name: "x/<b>", why: "used", now: true }, { id: "b", name: "y/z", why: "", now: false }, 7, { id: 5 }], why: "" });
    expect([...page.el.querySelectorAll(".smolcell-models-row")].map((row) => row.textContent)).toEqual(["x/<b>used", "y/z"]);
    page.el.querySelectorAll<HTMLInputElement>("input")[1]!.checked = true;
    page.button("Use for the next run").click();
    expect(page.sent.at(-1)).toMatchObject({ type: "model", choice: "b" });
    said(page, { model: "y/z", session: "default", why: "" });
    expect(page.el.querySelector(".smolcell-models-said")!.textContent).toMatch(/^From its next run on, the session default uses y\/z/);
    expect(page.el.querySelector<HTMLElement>(".smolcell-models")!.hidden).toBe(true);
  });

  it("shows why nothing was changed, or that the kernel is gone", () => {
    const page = ended();
    page.button("Change model").click();
    said(page, { models: [], why: "the session of this run was ended, or forgot it" });
    const told = page.el.querySelector(".smolcell-models-said")!;
    expect(told.textContent).toBe("Not changed: the session of this run was ended, or forgot it.");
    page.button("Change model").click();
    page.deaf = true;
    page.button("Change model").click();
    expect(told.textContent).toMatch(/kernel is gone/);
  });
});

describe("a failing cell", () => {
  class Cell implements FixableCell {
    constructor(public text: string | null) {}

    source(): string | null {
      return this.text;
    }

    replace(text: string): boolean {
      this.text = text;
      return true;
    }
  }

  async function mending(cell: Cell): Promise<Page> {
    const page = ended((made) => made.el.addEventListener(FIX_TARGET, (event) => ((event as CustomEvent<FixTarget>).detail.cell = cell)));
    await Promise.resolve();
    expect(page.sent.at(-1)).toMatchObject({ type: "replacement" });
    return page;
  }

  const place = (page: Page): HTMLElement => page.el.querySelector<HTMLElement>(".smolcell-mend")!;

  it("is replaced by a click, and restored by another", async () => {
    const cell = new Cell("a\nb");
    const page = await mending(cell);
    said(page, { code: "a\nc", why: "" });
    expect([...place(page).querySelectorAll(".smolcell-put-in, .smolcell-taken-out")].map((row) => row.textContent)).toEqual(["\u2212removed: b", "+added: c"]);
    expect(cell.text).toBe("a\nb");
    page.button("Replace the cell").click();
    expect(cell.text).toBe("a\nc");
    page.button("Undo").click();
    expect(cell.text).toBe("a\nb");
    page.button("Replace the cell").click();
    cell.text = "mine";
    page.button("Undo").click();
    expect([cell.text, place(page).textContent]).toEqual(["mine", expect.stringContaining("The cell was changed since")]);
  });

  it("is not replaced if it was changed meanwhile: a new difference is shown", async () => {
    const cell = new Cell("a");
    const page = await mending(cell);
    said(page, { code: "b", why: "" });
    cell.text = "z";
    page.button("Replace the cell").click();
    expect([cell.text, place(page).textContent]).toEqual(["z", expect.stringContaining("changed meanwhile")]);
  });

  it("is not changed if the code was not verified or the cell is gone", async () => {
    const page = await mending(new Cell("a"));
    said(page, { code: "", why: "the answer holds no Python code" });
    expect(place(page).textContent).toBe("The cell stays as it is: the answer holds no Python code.");
    const other = await mending(new Cell(null));
    said(other, { code: "b", why: "" });
    expect(place(other).textContent).toBe("The failing cell is gone.");
  });

  it("is not requested if the notebook has none", async () => {
    const page = ended();
    await Promise.resolve();
    expect([page.sent.map(({ type }) => type).includes("replacement"), place(page).hidden]).toEqual([false, true]);
  });
});

it("a session's name from a saved notebook is not evaluated in the option line", () => {
  expect(cellLine("{print(6*7)}")).toBe("%%agent --session '{{print(6*7)}}'");
});
