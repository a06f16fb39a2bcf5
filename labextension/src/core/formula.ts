// LaTeX, shown as its source until the page that it is on typesets it.

import { h, whenLaidOut } from "./dom";
import { readable } from "./text";

/** Goes up from LaTeX that is on the page; its target is the node that holds the source. Who typesets it prevents the default. */
export const TYPESET = "smolcell-typeset";

/** Commands that link, load, style, or make names for such commands: with one of these, the source is shown. */
const MORE_THAN_A_FORMULA =
  /\\(?:href|url|html\w*|style|class|cssId|data|bbox|includegraphics|require|unicode|mmlToken|csname|let|[egx]?def|newcommand|renewcommand|providecommand|newenvironment|renewenvironment|Declare\w*|catcode|char)(?![a-z])|\^\^/i;
const MOST_FORMULA = 20_000; // characters

/** A formula by itself; `plain`, which says the same, stays where it cannot be typeset. */
export function formulaBlock(source: string, plain: HTMLElement): HTMLElement {
  if (!isFormula(source)) return plain;
  whenLaidOut(plain, () => {
    const formula = h("div", "formula", readable(source));
    plain.replaceWith(formula);
    if (!asked(formula)) formula.replaceWith(plain);
  });
  return plain;
}

/** A formula within a sentence. */
export function formulaInText(source: string): HTMLElement {
  const node = h("span", "formula-in-text", readable(source));
  if (isFormula(source)) whenLaidOut(node, () => asked(node));
  return node;
}

function isFormula(source: string): boolean {
  return source.length <= MOST_FORMULA && !MORE_THAN_A_FORMULA.test(source);
}

/** Whether somebody typesets it. */
function asked(formula: HTMLElement): boolean {
  return !formula.dispatchEvent(new CustomEvent(TYPESET, { bubbles: true, cancelable: true, composed: true }));
}
