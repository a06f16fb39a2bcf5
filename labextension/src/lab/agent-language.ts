// The CodeMirror language of cells that begin with `%%agent`: Markdown below an option line. Other cells are unchanged.

import { Language, type LanguageSupport } from "@codemirror/language";
import { Compartment, EditorState, type Extension, Prec, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { BlockContext, InlineContext, Line, MarkdownConfig, MarkdownParser } from "@lezer/markdown";

import { isAgentCell, parseLine } from "./option-line";

const NODES = { magic: "AgentMagic", option: "AgentOption", value: "AgentValue", wrong: "AgentWrong" };

/** Additions to Markdown: the option line, and `@name`, which passes a variable or refers to a part of the notebook. */
const AGENT: MarkdownConfig = {
  defineNodes: [
    { name: "AgentLine", block: true },
    { name: NODES.magic, style: tags.keyword },
    { name: NODES.option, style: tags.attributeName },
    { name: NODES.value, style: tags.string },
    { name: NODES.wrong, style: tags.invalid },
    { name: "AgentReference", style: tags.special(tags.variableName) },
  ],
  parseBlock: [{ name: "AgentLine", parse: optionLine }],
  parseInline: [{ name: "AgentReference", parse: reference, before: "Escape" }],
};

function optionLine(context: BlockContext, line: Line): boolean {
  if (context.lineStart !== 0 || !isAgentCell(line.text)) return false;
  const parts = parseLine(line.text).map(({ kind, from, to }) => context.elt(NODES[kind], from, to));
  context.addElement(context.elt("AgentLine", 0, line.text.length, parts));
  context.nextLine();
  return true;
}

/** The same as in `smolcell/notebook/commands.py`, without punctuation after a path. */
const NAME = /^@(?:cell\[\d+\]|file:(?:"[^"\n]+"|[^\s"]*[^\s".,;:!?)\]}'])|last_error\b|[\p{L}_][\p{L}\p{N}_]*(?:\.schema\b)?)/u;

/** Finds references as `smolcell/notebook/commands.py` does: not in code, not part of an address. */
function reference(context: InlineContext, next: number, at: number): number {
  if (next !== 64 || /[\p{L}\p{N}_@.]/u.test(context.slice(Math.max(context.offset, at - 1), at))) return -1;
  const name = NAME.exec(context.slice(at, context.end));
  return name === null ? -1 : context.addElement(context.elt("AgentReference", at, at + name[0].length));
}

/** Jupyter's Markdown language, loaded for the first agent cell. */
export class AgentMarkdown {
  private extension: Extension | null = null;
  private loading: Promise<unknown> | null = null;

  constructor(private readonly load: () => Promise<LanguageSupport | undefined>) {}

  /** The extension, or null while it is being loaded; `then` is called when it has been. */
  get(then: () => void): Extension | null {
    if (this.extension !== null) return this.extension;
    this.loading ??= this.load().then((support) => (this.extension = support === undefined ? [] : extensionOf(support)));
    void this.loading.then(then, () => undefined);
    return null;
  }
}

function extensionOf({ language, support }: LanguageSupport): Extension {
  const parser = (language.parser as MarkdownParser).configure(AGENT);
  const prose = language.data.of({ closeBrackets: { brackets: ["(", "[", "{"] } }); // no pairs of quotes and apostrophes
  return [new Language(language.data, parser, [], "smolcell-agent"), support, prose, marks, THEME];
}

/** An editor extension that applies the agent language while the first line of the cell is an option line. */
export function agentCell(text: string, markdown: AgentMarkdown): Extension {
  const place = new Compartment();
  const filled = (agent: boolean): Extension => (agent ? (markdown.get(() => undefined) ?? waiting) : []);
  const waiting = ViewPlugin.define((view) => {
    let gone = false;
    markdown.get(() => gone || view.dispatch({ effects: place.reconfigure(filled(begins(view.state.doc))) }));
    return { destroy: () => void (gone = true) };
  });
  const switched = EditorState.transactionExtender.of((transaction) => {
    if (!transaction.docChanged) return null;
    const now = begins(transaction.newDoc);
    return now === begins(transaction.startState.doc) ? null : { effects: place.reconfigure(filled(now)) };
  });
  return Prec.highest([place.of(filled(isAgentCell(text))), switched]);
}

function begins(doc: Text): boolean {
  return isAgentCell(doc.line(1).text);
}

/** Calls `open` when the user starts to type a name in the task of an agent cell: after `@`, and after the start of its next part. */
export function openOnNames(open: () => void): Extension {
  return EditorView.updateListener.of(({ state, transactions, view }) => {
    if (!view.hasFocus || !transactions.some((one) => one.docChanged && one.isUserEvent("input.type"))) return;
    const line = state.doc.lineAt(state.selection.main.head);
    if (line.number > 1 && begins(state.doc) && NAME_START.test(line.text.slice(0, state.selection.main.head - line.from))) open();
  });
}

const NAME_START = /(?<![\p{L}\p{N}_@.\\`])@(?:|cell\[|file:|file:"?\S*\/|[\p{L}_][\p{L}\p{N}_]*\.)$/u;

// --- marks ------------------------------------------------------------------------------------------------------------

const OPTION_LINE = Decoration.line({ class: "smolcell-option-line" });

/** The style of the option line, and its errors with their reasons as tooltips. */
function decorations(doc: Text): DecorationSet {
  const wrong = parseLine(doc.line(1).text).filter(({ kind }) => kind === "wrong");
  const marked = wrong.map(({ from, to, why }) => Decoration.mark({ class: "smolcell-option-wrong", attributes: { title: why } }).range(from, to));
  return Decoration.set([OPTION_LINE.range(0), ...marked]);
}

const marks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = decorations(view.state.doc);
    }

    update(update: ViewUpdate): void {
      if (update.docChanged) this.decorations = decorations(update.state.doc);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const THEME = EditorView.baseTheme({
  ".smolcell-option-line": { boxShadow: "inset 0 -1px var(--jp-border-color2)" },
  ".smolcell-option-wrong": { textDecoration: "underline wavy var(--jp-error-color1)", textUnderlineOffset: "3px" },
});
