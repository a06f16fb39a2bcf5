// Renders a model's prose as Markdown: as nodes and text, never as markup.
//
// * markdown-it parses; this file creates the nodes, only of the elements below. There is no raw HTML, and links and images are
//   shown as their addresses. Every text passes `readable`.
// * When the text grows, only its last block is updated, and only where it differs, so that a selection survives and a long text
//   stays fast.
//
// `smolcell/views/transcript.py` does the same for saved notebooks; tests on both sides read `tests/contract/markdown.json`.

import MarkdownIt, { type Token } from "markdown-it";
import { StickToEnd, h } from "./dom";
import { formulaInText } from "./formula";
import { readable } from "./text";

const RULES = "blockquote code emphasis escape fence heading hr image link list newline strikethrough table backticks".split(" ");
const MAX_DEPTH = 20; // of nested elements; a deeper text is shown without formatting
const MAX_PARSED_CHARS = 100_000; // parsed at a time; a longer block is shown without formatting

const reader = new MarkdownIt("zero", { maxNesting: 2 * MAX_DEPTH }).enable(RULES);
reader.normalizeLink = (url) => url; // addresses are shown, not followed
reader.validateLink = () => true;

/** LaTeX between dollar signs; not prices: no space inside the signs, and no digit after them. */
const FORMULA = /\$\$[^$]{1,10000}\$\$|\$(?=[^\s$])[^$\n`]{0,1000}(?<=[^\s$\\])\$(?!\d)/y;

reader.inline.ruler.before("escape", "formula", (state, silent) => {
  if (state.env.formulas !== true) return false;
  FORMULA.lastIndex = state.pos;
  const found = FORMULA.exec(state.src)?.[0];
  if (found === undefined) return false;
  if (!silent) state.push("formula", "", 0).content = found;
  state.pos += found.length;
  return true;
});

type ElementSpec = [tag: keyof HTMLElementTagNameMap, classes: string];

const ELEMENTS: Record<string, ElementSpec> = {
  paragraph: ["p", "paragraph"],
  heading: ["h5", "heading"],
  blockquote: ["blockquote", "quoted"],
  bullet_list: ["ul", "list"],
  ordered_list: ["ol", "list"],
  list_item: ["li", ""],
  table: ["table", "table"],
  thead: ["thead", ""],
  tbody: ["tbody", ""],
  tr: ["tr", ""],
  th: ["th", ""],
  td: ["td", ""],
  strong: ["strong", ""],
  em: ["em", ""],
  s: ["s", ""],
  link: ["span", "address"],
};

/** An element that shows Markdown. */
export class Prose {
  private shown = "";
  private done = 0; // offset in `shown` of the last block
  private blocks = 0; // before the last block
  private readonly stick: StickToEnd;

  /** `formulas`: typeset formulas between dollar signs. */
  constructor(
    readonly el: HTMLElement,
    private readonly formulas = false,
  ) {
    el.hidden = true;
    this.stick = new StickToEnd(el);
  }

  /** Shows a text. Keeps the end in view if it was in view; never scrolls anything else. */
  set(source: string): void {
    if (source === this.shown) return;
    const text = source.replace(/\r\n?/g, "\n");
    if (!text.startsWith(this.shown.slice(0, this.done))) [this.done, this.blocks] = [0, 0];
    const { nodes, last } = parseBlocks(text.slice(this.done), this.formulas);
    updateChildren(this.el, this.blocks, nodes);
    this.blocks += Math.max(0, nodes.length - 1);
    this.done += last;
    this.shown = text;
    this.el.hidden = text === "";
    this.stick.update();
  }
}

/** Parses the text into one node for each block, and returns the offset of the last block. */
function parseBlocks(text: string, formulas: boolean): { nodes: Node[]; last: number } {
  const tokens = text.length > MAX_PARSED_CHARS ? [] : reader.parse(text, { formulas });
  if (text.length > MAX_PARSED_CHARS || tokens.some(({ level }) => level > MAX_DEPTH)) return { nodes: [unformatted(text)], last: 0 };
  const line = tokens.findLast(({ level, nesting }) => level === 0 && nesting >= 0)?.map?.[0] ?? 0;
  const top = document.createDocumentFragment();
  appendNodes(tokens, top);
  return { nodes: [...top.childNodes], last: text.split("\n", line).reduce((sum, { length }) => sum + length + 1, 0) };
}

function unformatted(text: string): HTMLElement {
  return h("p", "paragraph as-it-is", readable(text));
}

function appendNodes(tokens: readonly Token[], top: Node): void {
  const open: Node[] = [top];
  const addresses: string[] = [];
  for (const token of tokens) {
    const into = open.at(-1) as Node;
    if (/^(em|strong)_/.test(token.type) && token.markup.startsWith("_")) into.appendChild(document.createTextNode(token.markup)); // underscores of a Python name
    else if (token.nesting < 0) {
      if (token.type === "link_close") into.appendChild(address(addresses.pop() ?? ""));
      if (!token.hidden) open.pop();
    } else if (token.type === "inline") appendNodes(token.children ?? [], into);
    else if (token.nesting === 0) into.appendChild(leaf(token));
    else if (!token.hidden) {
      if (token.type === "link_open") addresses.push(String(token.attrGet("href") ?? ""));
      open.push(open.length > MAX_DEPTH ? into : into.appendChild(element(token)));
    }
  }
}

function element(token: Token): HTMLElement {
  const [tag, classes] = ELEMENTS[token.type.replace(/_open$/, "")] ?? (["span", ""] satisfies ElementSpec);
  const node = h(tag, token.attrGet("style") === "text-align:right" ? "numeric" : classes);
  const start = token.type === "ordered_list_open" ? token.attrGet("start") : null;
  if (start !== null) node.setAttribute("start", String(start));
  return node;
}

function leaf(token: Token): Node {
  switch (token.type) {
    case "formula":
      return formulaInText(token.content);
    case "code_inline":
      return h("code", "", readable(token.content));
    case "fence":
    case "code_block":
      return h("pre", "sample", h("code", "", readable(token.content.replace(/\n$/, ""))));
    case "hr":
      return h("hr", "rule");
    case "softbreak":
    case "hardbreak":
      return h("br", "");
    case "image":
      return h("span", "address", `Image: ${readable(token.content)}`, address(String(token.attrGet("src") ?? "")));
    default:
      return document.createTextNode(readable(token.content));
  }
}

function address(url: string): Text {
  return document.createTextNode(url === "" ? "" : ` (${readable(url)})`);
}

// --- updating the existing nodes -----------------------------------------------------------------------------------------

/** Replaces the children of `parent` from index `from` on by these nodes, keeping equal ones. */
function updateChildren(parent: Node, from: number, nodes: readonly Node[]): void {
  let old: Node | null = from === 0 ? parent.firstChild : (parent.childNodes[from] ?? null);
  for (const node of nodes) {
    const next: Node | null = old?.nextSibling ?? null;
    if (old === null) parent.appendChild(node);
    else if (!updateNode(old, node)) parent.replaceChild(node, old);
    old = next;
  }
  while (old !== null) {
    const next: Node | null = old.nextSibling;
    parent.removeChild(old);
    old = next;
  }
}

/** Makes `old` equal to `now` if both are of the same kind; returns whether it did. */
function updateNode(old: Node, now: Node): boolean {
  if (old instanceof Text && now instanceof Text) {
    if (!now.data.startsWith(old.data)) old.data = now.data;
    else if (now.length > old.length) old.appendData(now.data.slice(old.length));
    return true;
  }
  if (!old.cloneNode(false).isEqualNode(now.cloneNode(false))) return false;
  updateChildren(old, 0, [...now.childNodes]);
  return true;
}
