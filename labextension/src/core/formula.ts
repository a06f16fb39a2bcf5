// Shows LaTeX as its source until the page typesets it.

import { h, whenLaidOut } from "./dom";
import { whenNoneWaits } from "./held";
import { readable } from "./text";

/** A DOM event of a formula that bubbles; its target holds the source. A listener that typesets it calls `preventDefault`. */
export const TYPESET = "smolcell-typeset";

/** Commands that link, load or style, or define such commands. A text with one of them is not typeset. */
const UNSAFE_COMMANDS =
  /\\(?:href|url|html\w*|style|class|cssId|data|bbox|includegraphics|require|unicode|mmlToken|csname|let|[egx]?def|newcommand|renewcommand|providecommand|newenvironment|renewenvironment|Declare\w*|catcode|char)(?![a-z])|\^\^/i;
const MAX_FORMULA_CHARS = 20_000;

/** A displayed formula; `plain` shows the same as text and stays if the formula cannot be typeset. */
export function formulaBlock(source: string, plain: HTMLElement): HTMLElement {
  if (!isFormula(source)) return plain;
  const typeset = (): void => {
    const formula = h("div", "formula", readable(source));
    plain.replaceWith(formula);
    if (!requestTypesetting(formula)) formula.replaceWith(plain);
  };
  whenLaidOut(plain, () => whenNoneWaits(plain, typeset));
  return plain;
}

/** A formula inside a sentence. */
export function formulaInText(source: string): HTMLElement {
  const node = h("span", "formula-in-text", readable(source));
  if (isFormula(source)) whenLaidOut(node, () => whenNoneWaits(node, () => requestTypesetting(node)));
  return node;
}

function isFormula(source: string): boolean {
  return source.length <= MAX_FORMULA_CHARS && !UNSAFE_COMMANDS.test(source);
}

/** Asks the page to typeset a formula; returns whether it does. */
function requestTypesetting(formula: HTMLElement): boolean {
  return !formula.dispatchEvent(new CustomEvent(TYPESET, { bubbles: true, cancelable: true, composed: true }));
}
