// What a model writes around its programs, as Markdown: nodes and text, never markup.
//
// The rules this file exists to keep:
// * markdown-it reads, this file makes the nodes, of the elements below and no others. No raw HTML, no link that can be
//   followed, no image: of both the address is shown. Every text passes `readable`.
// * Text that grows leaves the blocks before its last one alone, and of that one changes what differs: a selection
//   survives, and a long text stays quick.
//
// `smolcell/views/transcript.py` is its twin, for saved notebooks; `tests/contract/markdown.json` holds them to one another.

import MarkdownIt, { type Token } from "markdown-it";
import { StickToEnd, h } from "./dom";
import { formulaInText } from "./formula";
import { readable } from "./text";

const RULES = "blockquote code emphasis escape fence heading hr image link list newline strikethrough table backticks".split(" ");
const MOST_NESTED = 20; // elements in one another; text with more of them is shown as it is
const MOST_READ = 100_000; // characters that are read at a time; of a block that is longer, none is Markdown

const reader = new MarkdownIt("zero", { maxNesting: 2 * MOST_NESTED }).enable(RULES);
reader.normalizeLink = (url) => url; // it is shown, not followed
reader.validateLink = () => true;

/** LaTeX between dollar signs; not prices: no space stands inside, and no digit behind. */
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

type Made = [tag: keyof HTMLElementTagNameMap, classes: string];

const ELEMENTS: Record<string, Made> = {
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

/** A place that shows Markdown. */
export class Prose {
  private shown = "";
  private done = 0; // of `shown`: where the last block begins
  private blocks = 0; // before that one
  private readonly following: StickToEnd;

  /** `formulas`: formulas between dollar signs are typeset. */
  constructor(
    readonly el: HTMLElement,
    private readonly formulas = false,
  ) {
    el.hidden = true;
    this.following = new StickToEnd(el);
  }

  /** Shows `text`; follows the end if the person was looking at the end, and never moves anything else. */
  set(given: string): void {
    if (given === this.shown) return;
    const text = given.replace(/\r\n?/g, "\n");
    if (!text.startsWith(this.shown.slice(0, this.done))) [this.done, this.blocks] = [0, 0];
    const { nodes, last } = blocksOf(text.slice(this.done), this.formulas);
    becomeAll(this.el, this.blocks, nodes);
    this.blocks += Math.max(0, nodes.length - 1);
    this.done += last;
    this.shown = text;
    this.el.hidden = text === "";
    this.following.grown();
  }
}

/** The text's blocks, a node for each; and where in the text the last one begins. */
function blocksOf(text: string, formulas: boolean): { nodes: Node[]; last: number } {
  const tokens = text.length > MOST_READ ? [] : reader.parse(text, { formulas });
  if (text.length > MOST_READ || tokens.some(({ level }) => level > MOST_NESTED)) return { nodes: [asItIs(text)], last: 0 };
  const line = tokens.findLast(({ level, nesting }) => level === 0 && nesting >= 0)?.map?.[0] ?? 0;
  const top = document.createDocumentFragment();
  put(tokens, top);
  return { nodes: [...top.childNodes], last: text.split("\n", line).reduce((sum, { length }) => sum + length + 1, 0) };
}

function asItIs(text: string): HTMLElement {
  return h("p", "paragraph as-it-is", readable(text));
}

function put(tokens: readonly Token[], top: Node): void {
  const open: Node[] = [top];
  const addresses: string[] = [];
  for (const token of tokens) {
    const into = open.at(-1) as Node;
    if (/^(em|strong)_/.test(token.type) && token.markup.startsWith("_")) into.appendChild(document.createTextNode(token.markup)); // of a name, in prose about Python
    else if (token.nesting < 0) {
      if (token.type === "link_close") into.appendChild(address(addresses.pop() ?? ""));
      if (!token.hidden) open.pop();
    } else if (token.type === "inline") put(token.children ?? [], into);
    else if (token.nesting === 0) into.appendChild(leaf(token));
    else if (!token.hidden) {
      if (token.type === "link_open") addresses.push(String(token.attrGet("href") ?? ""));
      open.push(open.length > MOST_NESTED ? into : into.appendChild(element(token)));
    }
  }
}

function element(token: Token): HTMLElement {
  const [tag, classes] = ELEMENTS[token.type.replace(/_open$/, "")] ?? (["span", ""] satisfies Made);
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

// --- what is there becomes what should be -------------------------------------------------------------------------------

/** Makes the children of `parent`, from this place on, these nodes. */
function becomeAll(parent: Node, from: number, nodes: readonly Node[]): void {
  let old: Node | null = from === 0 ? parent.firstChild : (parent.childNodes[from] ?? null);
  for (const node of nodes) {
    const next: Node | null = old?.nextSibling ?? null;
    if (old === null) parent.appendChild(node);
    else if (!become(old, node)) parent.replaceChild(node, old);
    old = next;
  }
  while (old !== null) {
    const next: Node | null = old.nextSibling;
    parent.removeChild(old);
    old = next;
  }
}

/** Makes `old` like `now`, where both are of one kind. */
function become(old: Node, now: Node): boolean {
  if (old instanceof Text && now instanceof Text) {
    if (!now.data.startsWith(old.data)) old.data = now.data;
    else if (now.length > old.length) old.appendData(now.data.slice(old.length));
    return true;
  }
  if (!old.cloneNode(false).isEqualNode(now.cloneNode(false))) return false;
  becomeAll(old, 0, [...now.childNodes]);
  return true;
}
