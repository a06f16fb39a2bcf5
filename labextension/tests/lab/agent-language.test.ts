// An agent cell's editor: Markdown below its first line, and whatever it was before in other cells.

import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { defineLanguageFacet, ensureSyntaxTree, Language, language, type LanguageSupport } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { parser as python } from "@lezer/python";
import { describe, expect, it } from "vitest";
import { agentCell, AgentMarkdown, openOnNames } from "../../src/lab/agent-language";

const PYTHON = new Language(defineLanguageFacet(), python, [], "python");
const MARKDOWN = markdown({ base: markdownLanguage });

async function ready(): Promise<AgentMarkdown> {
  const loaded = new AgentMarkdown(() => Promise.resolve(MARKDOWN));
  await new Promise<void>((then) => void loaded.get(then));
  return loaded;
}

async function stateOf(doc: string): Promise<EditorState> {
  return EditorState.create({ doc, extensions: [PYTHON.extension, agentCell(doc, await ready())] });
}

/** The nodes with these names, as `name:text`. */
function nodes(state: EditorState, names: RegExp): string[] {
  const found: string[] = [];
  ensureSyntaxTree(state, state.doc.length, 60_000)!.iterate({ enter: ({ name, from, to }) => void (names.test(name) && found.push(`${name}:${state.sliceDoc(from, to)}`)) });
  return found;
}

const name = (state: EditorState): string | undefined => state.facet(language)?.name;

describe("the language of a cell", () => {
  it("is Markdown with an option line if it begins with %%agent", async () => {
    const state = await stateOf("%%agent -m x --wat\n---\n# Title\n* one `@code` and @sales, me@home\n\n```python\n@property\n```");
    expect(name(state)).toBe("smolcell-agent");
    expect(nodes(state, /^(Agent|ATXHeading|SetextHeading|HorizontalRule|ListItem|FencedCode)/)).toEqual([
      "AgentLine:%%agent -m x --wat",
      "AgentMagic:%%agent",
      "AgentOption:-m",
      "AgentValue:x",
      "AgentWrong:--wat",
      "HorizontalRule:---",
      "ATXHeading1:# Title",
      "ListItem:* one `@code` and @sales, me@home",
      "AgentReference:@sales",
      "FencedCode:```python\n@property\n```",
    ]);
  });

  it.each(["x = 1", "", "%%time\nx", "\n%%agent\ntask", "%agent status", "x\n%%agent -m y"])("is what it was in another cell: %j", async (doc) => {
    const state = await stateOf(doc);
    expect(name(state)).toBe("python");
    expect(nodes(state, /^Agent/)).toEqual([]);
  });

  it("changes while the first line is typed, in the same transaction, and back", async () => {
    let state = await stateOf("%%agen\n# Title");
    state = state.update({ changes: { from: 6, insert: "t" } }).state;
    expect([name(state), nodes(state, /^(Agent|ATX)/)]).toEqual(["smolcell-agent", ["AgentLine:%%agent", "AgentMagic:%%agent", "ATXHeading1:# Title"]]);
    state = state.update({ changes: { from: 7, insert: " -a ask" } }).state;
    expect(nodes(state, /^AgentV/)).toEqual(["AgentValue:ask"]);
    state = state.update({ changes: { from: 0, to: 2 } }).state;
    expect(name(state)).toBe("python");
  });

  it("knows what a task names, as the kernel does", async () => {
    const state = await stateOf('%%agent\nSee @cell[3], @df.schema, @last_error, @file:a_b_c.md. @file:"my notes.md" and @df.columns, `@cell[1]`.');
    expect(nodes(state, /^(AgentReference|KernelLink)/)).toEqual([
      "AgentReference:@cell[3]",
      "AgentReference:@df.schema",
      "AgentReference:@last_error",
      "AgentReference:@file:a_b_c.md",
      'AgentReference:@file:"my notes.md"',
      "AgentReference:@df",
    ]);
  });

  it("pairs no quotes in prose", async () => {
    const state = await stateOf("%%agent\nthe '90s");
    expect(state.languageDataAt("closeBrackets", 12)[0]).toEqual({ brackets: ["(", "[", "{"] });
  });
});

describe("typing a name", () => {
  it.each([
    ["%%agent\nSum ", "@", 1],
    ["%%agent\nSee @cell", "[", 1],
    ["%%agent\nSee @file", ":", 1],
    ["%%agent\nSee @file:data", "/", 1],
    ["%%agent\nSee @df", ".", 1],
    ["%%agent -i ", "@", 0],
    ["%%agent\nme", "@", 0],
    ["%%agent\nSum @sal", "e", 0],
    ["x = 1\n", "@", 0],
  ])("opens the completion of %j + %j: %i", async (doc, typed, times) => {
    let opened = 0;
    const view = new EditorView({ parent: document.body, state: EditorState.create({ doc, extensions: openOnNames(() => opened++) }) });
    view.focus();
    view.dispatch({ changes: { from: doc.length, insert: typed }, selection: { anchor: doc.length + 1 }, userEvent: "input.type" });
    view.dispatch({ changes: { from: 0, to: 0, insert: "" }, userEvent: "input.paste" });
    view.destroy();
    expect(opened).toBe(times);
  });
});

describe("an editor", () => {
  it("is Python until Markdown is loaded, which happens once", async () => {
    let [asked, give] = [0, (_: LanguageSupport): void => undefined];
    const loading = new AgentMarkdown(() => (asked++, new Promise((resolve) => (give = resolve))));
    const views = ["%%agent\na", "%%agent\nb", "x = 1"].map((doc) => new EditorView({ doc, extensions: [PYTHON.extension, agentCell(doc, loading)] }));
    expect(views.map((view) => name(view.state))).toEqual(["python", "python", "python"]);
    views[1]!.destroy();
    give(MARKDOWN);
    await new Promise((then) => setTimeout(then));
    expect([asked, ...views.map((view) => name(view.state))]).toEqual([1, "smolcell-agent", "python", "python"]);
  });

  it("marks only errors, with the reason", async () => {
    const doc = "%%agent -a maybe --new\nDo it.";
    const view = new EditorView({ doc, extensions: agentCell(doc, await ready()) });
    const wrong = [...view.dom.querySelectorAll<HTMLElement>(".smolcell-option-wrong")].map((node) => [node.textContent, node.title]);
    expect(wrong).toEqual([["maybe", "--approve is one of: ask, risky, auto, deny"]]);
    view.dispatch({ changes: { from: 11, to: 16, insert: "ask" } });
    expect(view.dom.querySelectorAll(".smolcell-option-wrong")).toHaveLength(0);
    expect([...view.dom.querySelectorAll(".smolcell-option-line")].map((node) => node.textContent)).toEqual(["%%agent -a ask --new"]);
  });
});
