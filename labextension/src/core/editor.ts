// The editor of a step: a text area that keeps indentation. It never sends anything by itself.

import { h } from "./dom";

const INDENT = "    ";

export function makeEditor(code: string): HTMLTextAreaElement {
  const area = textArea("editor", code);
  area.rows = Math.min(Math.max(code.split("\n").length + 1, 4), 30);
  area.setAttribute("aria-label", "Edit the code before it runs. Escape, then Tab, leaves the editor.");
  let leaving = false;
  area.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Tab" && !leaving && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      if (event.shiftKey) dedent(area);
      else indent(area);
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      insert(area, `\n${indentation(area)}`);
    }
    leaving = event.key === "Escape" || (leaving && event.key === "Shift");
  });
  return area;
}

/** A field for text that keeps its keys from the notebook's shortcuts. */
export function textArea(look: string, text = ""): HTMLTextAreaElement {
  const area = h("textarea", look);
  area.value = text;
  area.spellcheck = false;
  area.setAttribute("autocapitalize", "off");
  area.setAttribute("autocomplete", "off");
  area.dataset["lmSuppressShortcuts"] = "true";
  return area;
}

function lineStart(area: HTMLTextAreaElement): number {
  return area.value.lastIndexOf("\n", area.selectionStart - 1) + 1;
}

function indentation(area: HTMLTextAreaElement): string {
  const before = area.value.slice(lineStart(area), area.selectionStart);
  const kept = /^[ \t]*/.exec(before)?.[0] ?? "";
  return /:\s*(#.*)?$/.test(before) ? kept + INDENT : kept;
}

function indent(area: HTMLTextAreaElement): void {
  if (area.selectionStart === area.selectionEnd) insert(area, INDENT);
  else eachLine(area, (line) => (line === "" ? line : INDENT + line));
}

function dedent(area: HTMLTextAreaElement): void {
  eachLine(area, (line) => line.replace(/^( {1,4}|\t)/, ""));
}

function eachLine(area: HTMLTextAreaElement, change: (line: string) => string): void {
  const start = lineStart(area);
  const stop = area.value.indexOf("\n", area.selectionEnd);
  const end = stop < 0 ? area.value.length : stop;
  const text = area.value.slice(start, end).split("\n").map(change).join("\n");
  const one = area.selectionStart === area.selectionEnd;
  const caret = Math.max(start, area.selectionStart + text.length - (end - start));
  area.setSelectionRange(start, end);
  insert(area, text);
  area.setSelectionRange(one ? caret : start, one ? caret : start + text.length);
}

/** Replaces the selection in a way that undo knows. */
function insert(area: HTMLTextAreaElement, text: string): void {
  if (text !== "" && typeof document.execCommand === "function" && document.execCommand("insertText", false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
}
