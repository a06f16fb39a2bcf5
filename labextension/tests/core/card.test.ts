// The card as a page sees it: what is text stays text, what did not change stays as it is.

import { beforeEach, describe, expect, it, vi } from "vitest";
import type { RunEvent } from "../../src/core/events";
import { tokenize, tokenizeLines } from "../../src/core/highlight";
import { readable, splitHidden } from "../../src/core/text";
import { answers, runs, unseen } from "../contract";
import { asked, observed, Page, proposal } from "../page";

beforeEach(() => void vi.spyOn(document, "hasFocus").mockReturnValue(true));

const table = (text: string) => ({ data: { "text/plain": text, "text/html": "<table>" } });
const run = (name: string) => runs.find((one) => one.name.startsWith(name))!;

describe("every run of the contract", () => {
  const allowed = new Set(
    "DIV SECTION SPAN P PRE CODE UL LI H4 Q STRONG DETAILS SUMMARY BUTTON KBD IMG STYLE IFRAME EM BR TEXTAREA".split(" "),
  );

  it.each(runs.map((one) => [one.name, one] as const))("is drawn with known elements only: %s", (_name, one) => {
    const page = new Page();
    page.push(...one.events);
    page.stream(...one.deltas);
    const found = [...page.el.querySelectorAll("*")];
    expect(new Set(found.map((node) => node.tagName).filter((tag) => !allowed.has(tag)))).toEqual(new Set());
    const attributes = new Set(found.flatMap((node) => node.getAttributeNames()));
    expect([...attributes].filter((name) => name.startsWith("on") || name === "href")).toEqual([]);
    for (const frame of page.el.querySelectorAll("iframe")) expect(frame.getAttribute("sandbox")).toBe("");
    for (const image of page.el.querySelectorAll("img")) expect(image.src).toMatch(/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/);
    expect(page.el.querySelectorAll("style")).toHaveLength(1);
  });

  it.each(runs.map((one) => [one.name, one] as const))("looks the same from a snapshot: %s", (_name, one) => {
    const live = new Page();
    live.push(...one.events);
    live.stream(...one.deltas);
    const text = live.el.textContent;
    const late = new Page();
    const snapshot = { type: "snapshot", seq: 9, events: one.events, deltas: one.deltas, pending: null, live: true };
    late.emit("msg:custom", snapshot);
    expect(late.el.textContent).toBe(text);
  });
});

describe("a run", () => {
  it("shows hostile text as text", () => {
    const page = new Page();
    page.push(...run("hostile").events);
    expect(page.el.textContent).toContain("<img src=x onerror=alert(1)></script><script>alert(2)</script>");
    expect(page.el.querySelectorAll("img, script, svg, a, iframe")).toHaveLength(0);
    expect(page.el.textContent).not.toMatch(/[\u202e\u2066\u200b\ufeff\u001b]/);
  });

  it("marks invisible characters in code", () => {
    const page = new Page();
    page.push(asked, proposal(1, "x = '\u202ea\u200b'\t\udb40\udc41"));
    const marks = [...page.el.querySelectorAll(".smolcell-hidden-char")].map((node) => node.textContent);
    expect(marks).toEqual(["\\u{202e}", "\\u{200b}", "\\t", "\\u{e0041}"]);
  });

  it("does not redraw an unchanged step", () => {
    const page = new Page();
    page.push(...run("two").events.slice(0, 6));
    const first = page.el.querySelector(".smolcell-step")!;
    const watcher = new MutationObserver(() => undefined);
    watcher.observe(first, { subtree: true, childList: true, characterData: true, attributes: true });
    page.push(...run("two").events.slice(6, 10));
    page.stream({ channel: "reply", step: 3, text: "more" });
    expect(watcher.takeRecords()).toEqual([]);
    page.emit("msg:custom", { type: "snapshot", seq: 99, events: run("two").events.slice(0, 10), deltas: [], pending: null, live: true });
    expect(watcher.takeRecords()).toEqual([]);
  });

  it("touches nothing of the steps that are done, but folds the fourth from the end, while the next one comes, waits and runs", () => {
    const page = new Page();
    page.push(asked);
    const observer = new MutationObserver(() => undefined);
    const step = (n: number): number => {
      observer.takeRecords();
      page.stream({ channel: "reply", step: n, text: "I **count**.\n<code>\nprint(" });
      page.push(proposal(n, `print(${n})`, { fingerprint: `f${n}` }));
      page.pend({ run: "r", step: n, fingerprint: `f${n}` });
      page.pend(null);
      page.push({ event: "Allowed", run: "r", step: n, text: `print(${n})`, sha256: "0", by: "person", kind: "code", edited: false, scope: "step", comment: "" });
      page.stream({ channel: "output", step: n, text: `${n}\n` });
      page.push({ ...observed({ stdout: `${n}\n` }), step: n } as RunEvent);
      return observer.takeRecords().length;
    };
    for (let n = 1; n <= 20; n++) step(n);
    const done = [...page.el.querySelectorAll(".smolcell-step")];
    for (const one of done.slice(0, -3)) observer.observe(one, { subtree: true, childList: true, characterData: true, attributes: true });
    expect([done.length, step(21)]).toEqual([20, 0]);
    observer.disconnect();
    observer.observe(page.el, { subtree: true, childList: true, characterData: true, attributes: true });
    const counts = Array.from({ length: 20 }, (_, at) => step(22 + at));
    expect(new Set(counts)).toEqual(new Set([counts[0]])); // a step costs the same, however many came before it
  });

  it("offers to go back to each step that was not undone, except the newest", () => {
    const page = new Page();
    const offered = () =>
      [...page.el.querySelectorAll<HTMLElement>(".smolcell-step")].map((step) =>
        [...step.querySelectorAll<HTMLElement>(".smolcell-back button")].filter((one) => !one.hidden).map((one) => one.textContent),
      );
    const [here, other] = ["Go back to here", "Try another way"];
    page.push(asked);
    for (const step of [1, 2, 3]) page.push(proposal(step, "x"), observed({ step }));
    page.push({ event: "Ended", run: "r", state: "success", steps: 3, usage: { input_tokens: 0, output_tokens: 0, cost: null }, duration: 1, error: "", cut: "" });
    expect(offered()).toEqual([[here, other], [here, other], [other]]);
    page.push({ event: "Undone", run: "r", step: 2, how: "copy", differs: [], uncovered: "", stays: [] });
    expect(offered()).toEqual([[here, other], [other], []]);
  });

  it("appends streaming text", () => {
    const page = new Page();
    page.push(asked);
    page.stream({ channel: "reply", step: 1, text: "I think" });
    const node = page.el.querySelector(".smolcell-thought > p")!.firstChild;
    page.stream({ channel: "reply", step: 1, text: " of *it*." });
    const thought = page.el.querySelector(".smolcell-thought")!;
    expect([thought.firstChild!.firstChild, thought.innerHTML]).toEqual([node, '<p class="smolcell-paragraph">I think of <em>it</em>.</p>']);
  });

  it("announces a waiting step", () => {
    const page = new Page();
    page.push(asked, proposal(1, "a\nb", { findings: [{ kind: "import", text: "os", line: 1, risk: "high" }] }));
    page.pend({ run: "r", step: 1, fingerprint: "f1" });
    const live = page.el.querySelector("[aria-live=polite]");
    expect(live?.textContent).toBe("Step 1 waits for your decision: 2 lines of Python, 1 warning.");
  });

  it("announces the result of a step and the end of the run, once each, and no streaming text", () => {
    const page = new Page();
    const live = () => page.el.querySelector("[aria-live=polite]")?.textContent;
    page.push(asked);
    page.stream({ channel: "reply", step: 1, text: "I think" });
    expect(live()).toBe("");
    page.push(proposal(1, "x"), observed({ error: { kind: "python", type: "ValueError", message: "", line: 0, traceback: "" } }));
    expect(live()).toBe("Step 1 ended with an error: ValueError.");
    page.push({ event: "Ended", run: "r", state: "success", steps: 1, usage: { input_tokens: 0, output_tokens: 0, cost: null }, duration: 1, error: "", cut: "" });
    expect(live()).toBe("The run is done.");
    const watcher = new MutationObserver(() => undefined);
    watcher.observe(page.el.querySelector("[aria-live=polite]")!, { childList: true, characterData: true, subtree: true });
    page.emit("msg:custom", { type: "snapshot", seq: 99, events: [asked, proposal(1, "x")], deltas: [], pending: null, live: true });
    expect(watcher.takeRecords()).toEqual([]);
  });

  it("requests a snapshot when a message is missing, and ignores duplicates", () => {
    const page = new Page();
    page.push(asked);
    page.emit("msg:custom", { type: "event", seq: 3, event: proposal(1, "x") });
    page.emit("msg:custom", { type: "event", seq: 1, event: { ...asked, task: "again" } });
    expect(page.sent.map((message) => message.type)).toEqual(["init", "ready", "sync"]);
    expect(page.el.querySelector(".smolcell-task")?.textContent).toBe("Count.");
    expect(page.el.querySelectorAll(".smolcell-step")).toHaveLength(0);
  });

  it("reads a message that came as one string", () => {
    const page = new Page();
    page.emit("msg:custom", { type: "json", text: JSON.stringify({ type: "event", seq: 1, event: { ...asked, task: "a\ud800" } }) });
    expect(page.el.querySelector(".smolcell-task")?.textContent).toBe("a\\u{d800}");
  });

  it("is restored from the widget's saved state, with nothing to press", () => {
    const page = new Page();
    page.traits["snapshot"] = JSON.stringify(run("two").events);
    page.emit("change:snapshot");
    expect(page.el.querySelectorAll(".smolcell-step")).toHaveLength(2);
    expect(page.buttons()).toEqual([]);
    expect(page.card.dataset["link"]).toBe("over");
  });

  it("hides its own saved transcript while it is on the page", () => {
    const page = new Page();
    page.push({ ...asked, run: "ab-1} body{x:y" });
    expect(page.el.querySelector("style")?.textContent).toBe(".smolcell-run-ab-1bodyxy { display: none; }");
  });

  it("removes its listeners when it is disposed", () => {
    const page = new Page();
    page.leave();
    page.push(asked);
    expect(page.el.childNodes).toHaveLength(0);
  });
});

describe("an answer", () => {
  it("is not its step's result as well", () => {
    const page = new Page();
    const text = "   a\n0  1";
    page.push(asked, proposal(1, "final_answer(t)"), observed({ result: text, is_final_answer: true, outputs: [table(text), table("before")] }));
    page.push({ event: "Answered", run: "r", step: 1, text });
    expect([...page.el.querySelectorAll("pre:not([hidden])")].map((node) => node.textContent)).toEqual(["before", text]);
  });

  it("that a check refused is shown as a result", () => {
    const page = new Page();
    page.push(asked, proposal(1, "final_answer(t)"), observed({ result: "[1]" }));
    expect(page.el.querySelector(".smolcell-result")?.textContent).toBe("[1]");
  });

  it.each(answers.map((one) => [one.name, one] as const))("is a table, or else prose: %s", (_name, { text, table }) => {
    const page = new Page();
    page.push(asked, { event: "Answered", run: "r", step: 1, text });
    const shown = page.el.querySelector(".smolcell-answer")!.lastElementChild!;
    expect([shown.tagName, shown.textContent]).toEqual([table ? "PRE" : "DIV", text]);
  });

  it.each(answers.map((one) => [one.name, one] as const))("that is text is Markdown, unless that spoils its columns: %s", (_name, { text, prose }) => {
    const page = new Page();
    page.push(asked, { event: "Answered", run: "r", step: 1, text, is_text: true });
    expect(page.el.querySelector(".smolcell-answer .smolcell-prose") !== null).toBe(prose);
  });

  it("of Markdown has tables, code to copy, and neither links nor markup", async () => {
    const copied: string[] = [];
    vi.stubGlobal("navigator", { clipboard: { writeText: (text: string) => Promise.resolve(void copied.push(text)) } });
    const page = new Page();
    const text = "**Two** <img src=x onerror=alert(1)>\n\n| a |\n|---|\n| 1 |\n\n```python\nprint(1)\n```\n[x](javascript:alert(1)) ![y](http://evil.test/y.png)";
    page.push(asked, { event: "Answered", run: "r", step: 1, text, is_text: true });
    const answer = page.el.querySelector(".smolcell-answer")!;
    expect(answer.querySelectorAll("strong, table td, pre.smolcell-sample")).toHaveLength(3);
    expect(answer.querySelectorAll("a, img, iframe, script")).toHaveLength(0);
    expect(answer.textContent).toContain("<img src=x onerror=alert(1)>");
    page.button("Copy").click();
    await vi.waitFor(() => expect(page.button("Copied")).toBeTruthy());
    expect(copied).toEqual(["print(1)"]);
    vi.unstubAllGlobals();
  });

  it("that is an image is drawn as the answer, not in its step", () => {
    const page = new Page();
    const outputs = [{ data: { "image/png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "text/plain": "<Image>" } }];
    page.push(asked, proposal(1, "x"), observed({ result: "<Image>", outputs, is_final_answer: true }), { event: "Answered", run: "r", step: 1, text: "<Image>" });
    expect(page.el.querySelectorAll("img")).toHaveLength(1);
    expect(page.el.querySelectorAll(".smolcell-answer img")).toHaveLength(1);
  });
});

describe("the record of a decision and of a run", () => {
  it("says what was allowed together with the approval", () => {
    const page = new Page();
    page.push(...run("two approved").events);
    expect(page.el.querySelector(".smolcell-decision")?.textContent).toBe("Approved by you, and plotly allowed for this run.");
  });

  it("tells in closed details what the run used, and nothing that is empty", () => {
    const page = new Page();
    page.push(...run("two approved").events);
    const details = [...page.el.querySelectorAll<HTMLDetailsElement>(".smolcell-foot details")].find((node) => node.textContent?.startsWith("Details"));
    expect(details?.open).toBe(false);
    expect([...(details?.querySelectorAll("p") ?? [])].map((node) => node.textContent)).toEqual([
      "Errors: KeyError, AgentParsingError 2\u00d7",
      "Packages: pandas",
      "Standard library: math",
      "Hosts: example.org",
      "Files: sales.csv, monthly.csv",
      "Tools called: fetch 3\u00d7",
      "Time: model 2.5 s, waiting for you 3.3 s, code 0.5 s",
    ]);
    const bare = new Page();
    bare.push(...run("a resumed").events);
    expect(bare.el.querySelector(".smolcell-foot")?.textContent).not.toContain("Details");
  });
});

describe("a task", () => {
  const parts = (task: string) => {
    const page = new Page();
    page.push({ ...asked, task } as RunEvent);
    return { page, text: page.el.querySelector(".smolcell-task")!, more: page.el.querySelector<HTMLButtonElement>(".smolcell-more")! };
  };

  it.each([["Count."], ["one\ntwo\n"]])("that is short is shown whole: %j", (task) => {
    expect(parts(task).more.hidden).toBe(true);
  });

  it.each([["one\ntwo\nthree"], ["word ".repeat(100)]])("that is long is opened and closed: %j", (task) => {
    const { page, text, more } = parts(task);
    expect([more.hidden, more.ariaExpanded, text.className, text.textContent]).toEqual([false, "false", "smolcell-task smolcell-clamped", task]);
    more.click();
    expect([more.textContent, more.ariaExpanded, text.className]).toEqual(["Show less of the task", "true", "smolcell-task"]);
    page.emit("msg:custom", { type: "snapshot", seq: 99, events: [{ ...asked, task }], deltas: [], pending: null, live: true });
    expect(page.el.querySelector(".smolcell-task")).toBe(text);
    more.click();
    expect([more.textContent, more.ariaExpanded, text.className]).toEqual(["Show the whole task", "false", "smolcell-task smolcell-clamped"]);
  });
});

describe("what a step writes", () => {
  const findings = [
    { kind: "name", text: "a, b", line: 0, risk: "none" as const },
    { kind: "import", text: "math", line: 1, risk: "none" as const },
  ];

  it("is announced as a finding, then listed once it is known", () => {
    const page = new Page();
    page.push(asked, proposal(1, "import math\na = b = 1", { findings }));
    expect(page.el.querySelector(".smolcell-facts")?.textContent).toBe("changes the variables a, bimports math");
    page.push(observed({ changed: ["a", "b"] }));
    expect(page.el.querySelector(".smolcell-facts")?.textContent).toBe("imports math");
    expect(page.el.querySelector(".smolcell-changed")?.textContent).toBe("Wrote a, b");
  });

  it("lists files and processes by name", () => {
    const page = new Page();
    const found = [
      { kind: "file", text: "reads a file: a: b.csv", line: 1, risk: "high" as const },
      { kind: "process", text: "starts a process: ls", line: 2, risk: "high" as const },
      { kind: "file", text: "read_csv", line: 3, risk: "low" as const },
      { kind: "name", text: "df", line: 0, risk: "none" as const },
    ];
    page.push(asked, proposal(1, "a\nb\nc", { findings: found }));
    const rows = [...page.el.querySelectorAll(".smolcell-findings li")];
    expect(rows.map((row) => row.textContent)).toEqual([
      "Warning reads a file: a: b.csv (line 1)",
      "Warning starts a process: ls (line 2)",
      "Note may read or write a file: read_csv (line 3)",
      "changes the variable df",
    ]);
    expect(rows.map((row) => row.querySelector("code")?.textContent)).toEqual(["a: b.csv", "ls", "read_csv", "df"]);
  });

  it("names the tools that it may call", () => {
    const page = new Page();
    page.push({ ...asked, tools: ["price", "send<b>"] } as typeof asked);
    expect(page.el.querySelector(".smolcell-head")?.textContent).toContain("Tools it may call, outside the sandbox: price, send<b>");
  });

  it("lists the names that were lost with the previous sandbox", () => {
    const page = new Page();
    page.push({ ...asked, resumes: "before", lost: ["df", "<b>model"] } as typeof asked);
    expect(page.el.querySelector(".smolcell-head")?.textContent).toContain("Lost with the previous sandbox: df, <b>model");
  });

  it("names the files that went in, and those it wrote with their sizes", () => {
    const page = new Page();
    const [sales, odd] = [{ name: "data/sales.csv", size: 1_234_567 }, { name: "a\u202eb<img>.csv", size: 12 }];
    const big = { name: "big/", size: 0, read_only: true };
    page.push({ ...asked, files: [sales, big] } as typeof asked, proposal(1, "a"), observed({ files: [odd] }));
    expect([...page.el.querySelectorAll(".smolcell-head p")].map((node) => node.textContent)).toContain("Mounted read-only: big/");
    expect(page.el.textContent).toContain("Files passed as copies: data/sales.csv (1.23 MB)");
    expect(page.el.querySelector(".smolcell-files")?.textContent).toContain("Files written: a\\u{202e}b<img>.csv (12 bytes)");
  });

  it("leaves no empty list", () => {
    const page = new Page();
    page.push(asked, proposal(1, "a = b = 1", { findings: findings.slice(0, 1) }), observed({ changed: ["a", "b"] }));
    expect(page.el.querySelectorAll(".smolcell-findings")).toHaveLength(0);
  });
});

describe("text", () => {
  it.each([
    ["a\u200bb", "a\\u{200b}b"],
    ["\ud83d\udc69\u200d\ud83d\udcbb \u2764\ufe0f", "\ud83d\udc69\u200d\ud83d\udcbb \u2764\ufe0f"],
    ["Gr\u00fc\u00dfe \u4f60\u597d\n\tx", "Gr\u00fc\u00dfe \u4f60\u597d\n\tx"],
  ])("%j is read as %j", (text, shown) => {
    expect(readable(text)).toBe(shown);
  });

  it("that is invisible is shown as an escape, in prose and in code", () => {
    for (const [first, last] of unseen.unseen) {
      for (let code = parseInt(first, 16); code <= parseInt(last, 16); code++) {
        const [char, escape] = [String.fromCodePoint(code), `\\u{${code.toString(16)}}`];
        expect(splitHidden(`a${char}b`)).toEqual([{ text: "a", hidden: false }, { text: escape, hidden: true }, { text: "b", hidden: false }]);
        if (code !== 0xa0) expect(readable(`a${char}b`)).toBe(`a${escape}b`);
      }
    }
    expect([readable(unseen.seen), splitHidden(unseen.seen)]).toEqual([unseen.seen, [{ text: unseen.seen, hidden: false }]]);
  });

  it("breaks lines like Python", () => {
    const rows = (code: string) => tokenizeLines(code).map((row) => row.map(({ kind, text }) => `${kind} ${text}`));
    expect(rows("# note\rimport os")).toEqual([["comment # note", "plain \r"], ["keyword import", "plain  ", "name os"]]);
    expect(rows("x = '\ry'")[1]).toContain("name y");
    expect(rows("a\r\nb\n\nc").map((row) => row.join())).toEqual(["name a,plain \r", "name b", "", "name c"]);
  });

  it("loses no character of code, whatever it is", () => {
    for (const code of ["f'{x!r} {{y}}' # \u00e9", "'''open", '"\\', "0x1F_e3j..3", "@a.b\ndef \u03c0(): pass", "\\\n\"a\nb"]) {
      expect(tokenize(code).map((token) => token.text).join("")).toBe(code);
      expect(splitHidden(code.replace(/\n/g, "")).map((piece) => piece.text).join("")).toBe(code.replace(/\n/g, ""));
    }
  });

  it("colours a hostile program in time that grows with its length only", () => {
    // A pattern that backtracks would take hours here: the test would run into its limit.
    for (const part of ["'", '"""', "f'{", "{{{", "\\", "a.", "1e", "#"]) {
      const code = part.repeat(90_000 / part.length);
      expect(tokenize(code).map((token) => token.text).join("") === code).toBe(true);
    }
  });
});
