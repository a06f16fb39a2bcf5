// When a click or a key counts, and what is sent. The bugs that approval prompts had elsewhere are named.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { byPerson, choiceOf, clickCounts, keyCounts, isCardKey, type Visibility } from "../../src/core/decision-input";
import type { RunEvent } from "../../src/core/events";
import { asked, Page, proposal } from "../page";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  vi.spyOn(document, "hasFocus").mockReturnValue(true);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const long = -Infinity;
const seen: Visibility = { drawn: long, still: long, pageVisible: long, windowFocused: long, inView: long, cardFocused: long };

describe("what counts", () => {
  it.each(["drawn", "still", "pageVisible", "windowFocused"] as const)("no click within half a second of %s, or without it", (fact) => {
    expect(clickCounts({ ...seen, [fact]: 1000 }, 1499)).toBe(false);
    expect(clickCounts({ ...seen, [fact]: 1000 }, 1500)).toBe(true);
    expect(clickCounts({ ...seen, [fact]: null }, 9e9)).toBe(false);
  });

  it.each(["inView", "cardFocused"] as const)("no key within half a second of %s, or without it", (fact) => {
    expect(keyCounts({ ...seen, [fact]: 1000 }, 1499)).toBe(false);
    expect(keyCounts({ ...seen, [fact]: null }, 9e9)).toBe(false);
    expect(clickCounts({ ...seen, [fact]: null }, 9e9)).toBe(true);
  });

  it("only plain keys, pressed once", () => {
    const plain = { key: "a", ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, repeat: false, isComposing: false };
    expect(choiceOf(plain)).toBe("approve");
    expect(choiceOf({ ...plain, key: "x" })).toBe(null);
    for (const more of ["ctrlKey", "altKey", "metaKey", "shiftKey", "repeat", "isComposing"]) {
      expect(choiceOf({ ...plain, [more]: true })).toBe(null);
    }
    expect(isCardKey({ ...plain, key: "x" })).toBe(true);
    expect(isCardKey({ ...plain, key: "s", ctrlKey: true })).toBe(false);
    expect(isCardKey({ ...plain, key: "Tab", shiftKey: true })).toBe(false);
  });
});

function write(area: HTMLTextAreaElement, text: string): void {
  area.value = text;
  area.dispatchEvent(new Event("input"));
}

function waiting(text = "print(1)"): Page {
  const page = new Page();
  page.push(asked);
  page.wait(proposal(1, text));
  return page;
}

describe("the controls", () => {
  it("are there only for what waits", () => {
    const page = new Page();
    page.push(asked, proposal(1, "print(1)"));
    expect(page.buttons()).toEqual([]);
    page.pend({ run: "r", step: 1, fingerprint: "other" });
    expect(page.buttons()).toEqual([]);
    page.pend({ run: "r", step: 1, fingerprint: "f1" });
    expect(page.buttons()).toEqual(["Approve", "Edit", "Refuse", "Stop"]);
  });

  it("cannot be pressed in the first half a second", () => {
    const page = new Page();
    page.push(asked, proposal(1, "print(1)"));
    page.pend({ run: "r", step: 1, fingerprint: "f1" });
    page.button("Approve").click();
    expect([page.button("Approve").ariaDisabled, page.answers()]).toEqual(["true", []]);
    expect(page.el.querySelector(".smolcell-message")?.textContent).toContain("Too early");
    vi.advanceTimersByTime(600);
    page.button("Approve").click();
    expect(page.answers()).toMatchObject([{ run: "r", step: 1, fingerprint: "f1", choice: "approve" }]);
  });

  it.each([
    ["Approve", "approve"],
    ["Stop", "stop"],
  ])("%s sends %s, once", (name, choice) => {
    const page = waiting();
    page.button(name).click();
    page.button(name).click();
    expect(page.answers().map((answer) => answer.choice)).toEqual([choice]);
  });

  it("send the edited text", () => {
    const page = waiting("print(1)\n");
    page.button("Edit").click();
    const editor = page.el.querySelector("textarea")!;
    expect([editor.value, document.activeElement]).toEqual(["print(1)\n", editor]);
    write(editor, "print(2)");
    page.button("Run edited").click();
    expect(page.answers()).toMatchObject([{ choice: "edit", text: "print(2)" }]);
  });

  it("send the comment of a refusal", () => {
    const page = waiting();
    page.button("Refuse").click();
    page.el.querySelector("textarea")!.value = "use pathlib";
    page.button("Send refusal").click();
    expect(page.answers()).toMatchObject([{ choice: "refuse", comment: "use pathlib" }]);
  });

  it("come back when the kernel does not accept the answer, and say why", () => {
    const page = waiting();
    page.button("Approve").click();
    const id = page.answers()[0]!.id;
    page.emit("msg:custom", { type: "verdict", id, ok: false, why: "that was step 0" });
    expect(page.el.querySelector(".smolcell-message")?.textContent).toBe("Not accepted: that was step 0.");
    expect(page.button("Approve").disabled).toBe(false);
  });

  it("ignore the click that brings the window to the front", () => {
    const page = waiting();
    window.dispatchEvent(new Event("blur"));
    window.dispatchEvent(new Event("focus"));
    page.button("Approve").click();
    expect(page.answers()).toEqual([]);
    vi.advanceTimersByTime(600);
    page.button("Approve").click();
    expect(page.answers()).toHaveLength(1);
  });

  it.each(["comm:close", "comm_live_update"])("are gone after %s, until the kernel speaks again", (event) => {
    const page = waiting();
    page.emit(event);
    expect([page.buttons(), page.card.dataset["link"]]).toEqual([[], "dead"]);
    page.pend({ run: "r", step: 1, fingerprint: "f1" });
    expect([page.buttons().length, page.card.dataset["link"]]).toEqual([4, "live"]);
  });
});

describe("keys", () => {
  it.each([
    ["a", "approve"],
    ["A", "approve"],
    ["s", "stop"],
  ])("%s sends %s once the card has had the focus", (key, choice) => {
    const page = waiting();
    page.card.blur();
    page.card.focus();
    page.key(key);
    expect(page.answers()).toEqual([]); // the first key in flight
    vi.advanceTimersByTime(600);
    expect(page.card.dataset["armed"]).toBe("true");
    page.key(key);
    page.key(key);
    expect(page.answers().map((answer) => answer.choice)).toEqual([choice]);
  });

  it("typed on after a field was removed approve nothing", () => {
    const page = waiting();
    page.button("Refuse").click();
    page.push({ event: "Refused", run: "r", step: 1, reason: "", by: "person", then: "continue" }); // on another page
    page.pend(null);
    page.push(proposal(2, "print(2)"));
    page.pend({ run: "r", step: 2, fingerprint: "f2" });
    for (const key of "it was a bad idea, and a slow one") {
      page.key(key, document.activeElement!);
      vi.advanceTimersByTime(300);
    }
    expect([document.activeElement, page.answers()]).toEqual([page.card, []]);
  });

  it("do nothing without the focus", () => {
    const page = waiting();
    const elsewhere = document.body.appendChild(document.createElement("input"));
    elsewhere.focus();
    vi.advanceTimersByTime(600);
    page.key("a", document.body);
    page.key("a");
    expect(page.answers()).toEqual([]);
  });

  it("in a text field are text", () => {
    const page = waiting();
    page.card.focus();
    vi.advanceTimersByTime(600);
    page.key("e");
    const editor = page.el.querySelector("textarea")!;
    const outside = vi.fn();
    document.addEventListener("keydown", outside, { once: true });
    for (const key of ["a", "Enter", "s", "r"]) page.key(key, editor);
    page.key("Enter", editor, { ctrlKey: true, repeat: true });
    page.key("Enter", editor, { shiftKey: true, isComposing: true });
    expect([page.answers(), outside.mock.calls.length]).toEqual([[], 0]);
    expect(editor.dataset["lmSuppressShortcuts"]).toBe("true");
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }])("send what is in the editor: Enter with %o, once", (more) => {
    const page = waiting();
    page.button("Edit").click();
    const editor = page.el.querySelector("textarea")!;
    write(editor, "print(2)");
    for (let n = 0; n < 2; n++) page.key("Enter", editor, more);
    expect(page.answers().map(({ choice, text }) => [choice, text])).toEqual([["edit", "print(2)"]]);
  });

  it("send the comment of a refusal: Enter, but for a new line and a letter that is being composed", () => {
    const page = waiting();
    page.button("Refuse").click();
    const comment = page.el.querySelector("textarea")!;
    comment.value = "use pathlib";
    const ignored = [{ shiftKey: true }, { isComposing: true }, { repeat: true }].map((more) => page.key("Enter", comment, more).defaultPrevented);
    expect([ignored, page.answers()]).toEqual([[false, false, true], []]);
    page.key("Enter", comment);
    expect(page.answers()).toMatchObject([{ choice: "refuse", comment: "use pathlib" }]);
  });

  it("of a script send nothing from a field", () => {
    const page = waiting();
    page.button("Edit").click();
    vi.mocked(byPerson).mockReturnValue(false);
    page.key("Enter", page.el.querySelector("textarea")!, { ctrlKey: true });
    expect(page.answers()).toEqual([]);
    vi.mocked(byPerson).mockReturnValue(true);
  });

  it("Shift+Tab out of the comment approves nothing, nor does what follows at once", () => {
    const page = waiting();
    page.button("Refuse").click();
    const comment = page.el.querySelector("textarea")!;
    page.key("Tab", comment, { shiftKey: true });
    page.button("Cancel").click();
    page.key("a", document.activeElement!);
    expect(page.answers()).toEqual([]);
  });

  it("never reach the notebook's shortcuts while the card has the focus", () => {
    const page = waiting();
    page.card.focus();
    const notebook = vi.fn();
    document.addEventListener("keydown", notebook, { capture: true });
    for (const key of ["a", "b", "x", "d", "Enter", " "]) page.key(key);
    expect(notebook).not.toHaveBeenCalled();
    page.key("s", page.card, { ctrlKey: true });
    page.key("ArrowDown");
    expect(notebook).toHaveBeenCalledTimes(2);
    document.removeEventListener("keydown", notebook, { capture: true });
  });
});

describe("a script's clicks and keys", () => {
  beforeEach(async () => {
    const actual = await vi.importActual<typeof import("../../src/core/decision-input")>("../../src/core/decision-input");
    vi.mocked(byPerson).mockImplementation(actual.byPerson);
  });
  afterEach(() => void vi.mocked(byPerson).mockReturnValue(true));

  it.each<[string, Partial<RunEvent & { event: "Proposed" }>]>([
    ["a step", {}],
    ["a question", { kind: "question" }],
    ["a budget", { kind: "budget" }],
    ["a link", { kind: "link" }],
  ])("answer nothing about %s", (_what, more) => {
    const page = new Page();
    page.push(asked);
    page.wait(proposal(1, "print(1)", more));
    page.card.focus();
    vi.advanceTimersByTime(600);
    const names = page.buttons();
    for (const name of names) page.button(name).click();
    for (const key of "aers") page.key(key);
    expect([page.buttons(), page.sent.filter(({ type }) => type === "answer" || type === "stop")]).toEqual([names, []]);
  });
});

describe("the focus", () => {
  it("goes to a waiting card if nothing has the focus, and is not taken from elsewhere", () => {
    const page = waiting();
    expect(document.activeElement).toBe(page.card);
    const elsewhere = document.body.appendChild(document.createElement("input"));
    elsewhere.focus();
    page.pend(null);
    page.wait(proposal(2, "print(2)"));
    expect(document.activeElement).toBe(elsewhere);
  });

  it.each([
    ["the cell that the card is in", ".jp-Cell", true],
    ["the notebook, whose active cell it is", ".jp-Notebook", true],
    ["the notebook, whose active cell is another", ".elsewhere", false],
    ["an editor in that cell", "textarea", false],
    ["another cell", ".other", false],
  ])("of %s goes to a card that waits, where no one types: %s", (_where, selector, goes) => {
    const page = new Page();
    document.body.insertAdjacentHTML("beforeend", '<div class="jp-Notebook" tabindex="-1"><div class="other" tabindex="-1"></div><div class="jp-Cell jp-mod-active" tabindex="-1"><textarea></textarea></div></div>');
    const notebook = document.body.lastElementChild!;
    notebook.querySelector(".jp-Cell")!.append(page.el);
    if (selector === ".elsewhere") [notebook.className, notebook.lastElementChild!.className] = ["elsewhere", "jp-Cell"];
    const place = (notebook.matches(selector) ? notebook : notebook.querySelector(selector)) as HTMLElement;
    place.focus();
    page.push(asked);
    page.wait(proposal(1, "print(1)"));
    expect(document.activeElement === page.card).toBe(goes);
    if (!goes) expect(document.activeElement).toBe(place);
    notebook.remove();
  });

  it.each([true, false])("goes from the next cell to the card whose cell was run from the keyboard, and only then: %s", (byKey) => {
    const page = new Page();
    const [cell, next] = [document.createElement("div"), document.body.appendChild(document.createElement("textarea"))];
    cell.className = "jp-Cell";
    cell.toggleAttribute("data-smolcell-ran-by-key", byKey);
    document.body.append(cell);
    cell.append(page.el);
    next.focus();
    page.push(asked);
    page.wait(proposal(1, "print(1)"));
    expect(document.activeElement).toBe(byKey ? page.card : next);
    page.key("a");
    expect(page.answers()).toHaveLength(byKey ? 1 : 0);
  });

  it.each([
    ["shows the next step", "", 1],
    ["leaves the page where the person scrolled it", "wheel", 0],
  ])("of the card %s", (_what, event, times) => {
    const [page] = notebook();
    press(page, "Approve");
    page.push({ event: "Refused", run: "r", step: 1, reason: "", by: "person", then: "continue" });
    if (event !== "") document.body.dispatchEvent(new Event(event, { bubbles: true }));
    const shown = vi.fn();
    Element.prototype.scrollIntoView = shown;
    page.wait(proposal(2, "print(2)"));
    Reflect.deleteProperty(Element.prototype, "scrollIntoView");
    expect(shown).toHaveBeenCalledTimes(times);
  });

  const ended: RunEvent = { event: "Ended", run: "r", state: "success", steps: 1, usage: { input_tokens: 0, output_tokens: 0, cost: null }, duration: 1, error: "", cut: "" };

  /** Presses a button as a mouse does, in a notebook that selects the cell that is clicked into. */
  function press(page: Page, name: string): void {
    const target = page.button(name);
    target.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    page.card.closest<HTMLElement>(".jp-Cell")?.focus();
    target.focus();
    target.click();
  }

  function notebook(): [Page, HTMLElement, HTMLElement] {
    const page = waiting();
    const [cell, next] = [document.createElement("div"), document.createElement("div")];
    for (const one of [cell, next]) [one.className, one.tabIndex] = ["jp-Cell", -1];
    document.body.append(cell, next);
    cell.append(page.el);
    next.focus();
    return [page, cell, next];
  }

  it.each([["Approve"], ["Stop"], ["Stop run"]])("goes to the card after a click on %s", (name) => {
    const page = waiting();
    press(page, name);
    expect(document.activeElement).toBe(page.card);
  });

  it.each([
    ["Edit", "Run edited"],
    ["Refuse", "Send refusal"],
  ])("goes to the card after %s and %s", (first, second) => {
    const page = waiting();
    press(page, first);
    press(page, second);
    expect(document.activeElement).toBe(page.card);
  });

  it("returns to its origin when the run is over", () => {
    const [page, , next] = notebook();
    press(page, "Approve");
    page.push({ event: "Refused", run: "r", step: 1, reason: "", by: "person", then: "continue" });
    page.wait(proposal(2, "print(2)"));
    press(page, "Approve");
    expect(document.activeElement).toBe(page.card);
    page.push(ended);
    expect(document.activeElement).toBe(next);
  });

  it("goes to the card's cell if its origin is gone", () => {
    const [page, cell, next] = notebook();
    press(page, "Approve");
    next.remove();
    page.push(ended);
    expect(document.activeElement).toBe(cell);
  });

  it("stays on the card if there is no notebook", () => {
    const page = waiting();
    press(page, "Approve");
    page.push(ended);
    expect(document.activeElement).toBe(page.card);
  });

  it("is not taken from elsewhere", () => {
    const [page, cell, next] = notebook();
    press(page, "Approve");
    const elsewhere = document.body.appendChild(document.createElement("input"));
    elsewhere.focus();
    page.push(ended);
    expect([document.activeElement === elsewhere, cell.isConnected, next.isConnected]).toEqual([true, true, true]);
  });

  it("stays on the card if the run ends while the user types", () => {
    const [page] = notebook();
    press(page, "Refuse");
    page.push(ended);
    expect(document.activeElement).toBe(page.card);
  });

  it("on a finished card leaves Shift+Enter to the notebook", () => {
    const [page] = notebook();
    page.card.focus();
    const heard = vi.fn();
    document.addEventListener("keydown", heard, { capture: true });
    page.key("Enter", page.card, { shiftKey: true });
    page.push(ended);
    page.card.focus();
    page.key("Enter", page.card, { shiftKey: true });
    page.key("d");
    document.removeEventListener("keydown", heard, { capture: true });
    expect(heard).toHaveBeenCalledTimes(1);
  });
});

describe("the editor", () => {
  it("replaces the code until it is cancelled or the edited code is shown", () => {
    const page = waiting();
    const code = () => page.el.querySelector<HTMLElement>(".smolcell-code")!.hidden;
    expect(code()).toBe(false);
    page.button("Edit").click();
    expect(code()).toBe(true);
    page.button("Cancel").click();
    expect(code()).toBe(false);
    page.button("Refuse").click();
    expect(code()).toBe(false);
    page.button("Cancel").click();
    page.button("Edit").click();
    page.pend(null);
    expect([code(), page.buttons()]).toEqual([false, []]);
  });

  function editor(code: string, at: number): [Page, HTMLTextAreaElement] {
    const page = waiting(code);
    page.button("Edit").click();
    const area = page.el.querySelector("textarea")!;
    area.setSelectionRange(at, at);
    return [page, area];
  }

  it("indents with Tab and dedents with Shift+Tab", () => {
    const [page, area] = editor("x = 1", 0);
    page.key("Tab", area);
    expect(area.value).toBe("    x = 1");
    page.key("Tab", area, { shiftKey: true });
    expect(area.value).toBe("x = 1");
  });

  it("keeps the indentation of the line before, and adds to it after a colon", () => {
    const [page, area] = editor("    if x:", 9);
    page.key("Enter", area);
    expect(area.value).toBe("    if x:\n        ");
  });

  it("is left with Escape, which keeps what is in it", () => {
    const [page, area] = editor("x = 1", 0);
    area.value = "x = 2";
    page.key("Escape", area);
    expect([document.activeElement, area.value, page.answers()]).toEqual([page.button("Run edited"), "x = 2", []]);
  });

  it("shows what was changed, from the first change on and before it runs", () => {
    const [page, area] = editor("x = 1\ny = 2", 0);
    const changes = (): string[] => [...page.el.querySelectorAll(".smolcell-controls .smolcell-diff .smolcell-line")].map((line) => line.textContent ?? "");
    expect(changes()).toEqual([]);
    write(area, "x = 1\ny = 3");
    expect(changes()).toEqual([" x = 1", "\u2212removed: y = 2", "+added: y = 3"]);
    write(area, "x = 1\ny = 2");
    expect(changes()).toEqual([]);
  });

  it("requests CodeMirror when it is first needed, and stays a text area if none arrives", () => {
    const page = waiting();
    const asked = (): unknown[] => page.sent.filter(({ type }) => type === "library").map((message) => (message as { name?: string }).name);
    expect(asked()).toEqual([]);
    page.button("Edit").click();
    expect(asked()).toEqual(["editor"]);
    page.button("Cancel").click();
    page.button("Edit").click();
    expect([asked(), page.el.querySelectorAll("textarea").length]).toEqual([["editor"], 1]);
  });

  it("keeps what was typed, and the focus, when more of the run arrives", () => {
    const [page, area] = editor("x = 1", 0);
    area.value = "x = 2";
    page.stream({ channel: "progress", step: 1, text: "still here" });
    page.emit("msg:custom", { type: "verdict", id: "another page's", ok: true, why: "" });
    expect([page.el.querySelector("textarea")?.value, document.activeElement]).toEqual(["x = 2", area]);
  });
});

describe("questions of a step's code", () => {
  const code = proposal(1, "send('Ann')\nuser_input('Which?')");
  const allowed: RunEvent = {
    event: "Allowed", run: "r", step: 1, text: code.text, sha256: "0", by: "person", kind: "code", edited: false, scope: "step", comment: "",
  };

  it("a call is answered by its own controls, below the step's code", () => {
    const page = new Page();
    page.push(asked, code, allowed);
    page.wait(proposal(1, "send(to='Ann')", { kind: "call", call: 1, fingerprint: "c1", thought: "This tool asks before each call." }));
    expect([...page.el.querySelectorAll("h4")].map((node) => node.textContent)).toEqual(["Step 1", "Step 1, call 1: a tool call"]);
    expect(page.el.textContent).toContain("This tool asks before each call.");
    page.button("Approve").click();
    expect(page.answers().map(({ choice, fingerprint }) => [choice, fingerprint])).toEqual([["approve", "c1"]]);
  });

  it("the answer to a question is sent unchanged, and no key answers it", () => {
    const page = new Page();
    page.push(asked, code, allowed);
    page.wait(proposal(1, "Which?", { kind: "question", call: 2, fingerprint: "q2" }));
    expect(page.buttons()).toEqual(["Send answer", "Do not answer", "Stop"]);
    for (const key of ["a", "e", "r"]) page.key(key);
    expect(page.answers()).toEqual([]);
    page.el.querySelector("textarea")!.value = "1984";
    page.button("Send answer").click();
    expect(page.answers().map(({ choice, text, fingerprint }) => [choice, text, fingerprint])).toEqual([["edit", "1984", "q2"]]);
  });

  it("calls without approval are listed in the step, open if one failed, and in the receipt", () => {
    const page = new Page();
    const call = { event: "Called" as const, run: "r", step: 1, result: "2.5", error: "", duration: 0.2, times: 1 };
    page.push(asked, code, allowed, { ...call, call: 1, name: "price", text: "price('<b>')" });
    page.push({ ...call, call: 2, name: "price", text: "price('x')", error: "KeyError: x", times: 3 });
    expect(page.el.querySelector(".smolcell-calls")?.textContent).toContain("price('<b>') \u2192 2.5");
    expect(page.el.querySelector(".smolcell-calls b")).toBe(null);
    expect(page.el.querySelector("details:has(.smolcell-calls)")?.hasAttribute("open")).toBe(true);
    page.push({
      event: "Ended", run: "r", state: "success", steps: 1, duration: 1, error: "", cut: "", usage: { input_tokens: 0, output_tokens: 0, cost: null },
    });
    expect(page.el.textContent).toContain("Tools called: price 4\u00d7, 0.4 s, with errors");
  });
});
