// The editor of a step. It starts as a text area that keeps indentation, and is replaced by CodeMirror once the kernel has sent
// that library, which happens once for a page. If that fails, the text area stays. The editor sends nothing by itself.

import { byPerson } from "./decision-input";
import { h } from "./dom";
import { LIBRARY, type LibraryRequest } from "./library";

const INDENT = "    ";

/** A text field: the text area, or CodeMirror of `src/editor`. */
export interface Field {
  readonly el: HTMLElement;
  readonly value: string;
  /** The position of the cursor. */
  readonly at: number;
  readOnly: boolean;
  focus(): void;
}

/** The arguments of `src/editor`. */
export interface FieldOptions {
  parent: HTMLElement;
  text: string;
  at: number;
  label: string;
  python: boolean;
  changed(): void;
}

/** The module `src/editor`. */
export interface EditorModule {
  edit(options: FieldOptions): Field;
}

export class Editor {
  readonly el = h("div", "editor");
  private field: Field;
  private touched = false;
  private locked = false;
  private closed = false;

  /**
   * @param text the text to edit.
   * @param python whether it is a Python program.
   * @param changed called after each change.
   * @param send called by Ctrl+Enter and Shift+Enter.
   * @param leave called by Escape.
   */
  constructor(
    private readonly text: string,
    private readonly python: boolean,
    private readonly changed: () => void,
    send: () => void,
    leave: () => void,
  ) {
    this.el.dataset["lmSuppressShortcuts"] = "true";
    this.field = plainField(text, () => this.touch());
    this.el.append(this.field.el);
    // Before the field itself: there Shift+Enter is a new line.
    this.el.addEventListener("keydown", (event) => onKey(event, send, leave), { capture: true });
  }

  /** The text. Until the user changes it, this is exactly the initial text: a text area would normalize its line ends. */
  get value(): string {
    return this.touched ? this.field.value : this.text;
  }

  set readOnly(on: boolean) {
    this.locked = on;
    this.field.readOnly = on;
  }

  focus(_?: FocusOptions): void {
    this.field.focus();
  }

  /** Requests CodeMirror. Call it once the editor is on the page. */
  loadCodeMirror(): void {
    const take = (code: string): void => void load(code).then((module) => this.replaceField(module), () => undefined); // on an error the text area stays
    this.el.dispatchEvent(new CustomEvent<LibraryRequest>(LIBRARY, { bubbles: true, composed: true, detail: { name: "editor", take } }));
  }

  close(): void {
    this.closed = true;
  }

  private touch(): void {
    this.touched = true;
    this.changed();
  }

  private replaceField({ edit }: EditorModule): void {
    if (this.closed || !this.el.isConnected) return;
    const { field: before } = this;
    const hadFocus = before.el.contains((this.el.getRootNode() as Document | ShadowRoot).activeElement);
    const field = edit({ parent: this.el, text: this.value, at: before.at, label: LABEL, python: this.python, changed: () => this.touch() });
    this.field = field;
    field.readOnly = this.locked;
    before.el.remove();
    if (hadFocus) field.focus();
  }
}

function onKey(event: KeyboardEvent, send: () => void, leave: () => void): void {
  if (event.isComposing || event.altKey) return;
  const modified = event.ctrlKey || event.metaKey;
  const sends = event.key === "Enter" && (modified || event.shiftKey);
  if (!sends && (event.key !== "Escape" || modified || event.shiftKey)) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.repeat || !byPerson(event)) return;
  if (sends) send();
  else leave();
}

const LABEL = "Edit before it runs. Control+Enter runs what is here, Escape leaves the editor.";

const MODULE: unique symbol = Symbol.for("smolcell.editor");

/** Loads the module that the kernel has sent, once for all cards of the page. */
function load(code: string): Promise<EditorModule> {
  const page = globalThis as { [MODULE]?: Promise<EditorModule> };
  return (page[MODULE] ??= importCode(code));
}

async function importCode(code: string): Promise<EditorModule> {
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  try {
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ url)) as EditorModule;
  } finally {
    URL.revokeObjectURL(url);
  }
}

// --- the text area -------------------------------------------------------------------------------------------------------

function plainField(text: string, changed: () => void): Field {
  const area = textArea("program", text);
  area.rows = Math.min(Math.max(text.split("\n").length + 1, 4), 30);
  area.setAttribute("aria-label", LABEL);
  area.addEventListener("input", changed);
  area.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Tab") {
      event.preventDefault();
      if (event.shiftKey) dedent(area);
      else indent(area);
    } else if (event.key === "Enter") {
      event.preventDefault();
      insert(area, `\n${indentation(area)}`);
    }
  });
  area.setSelectionRange(0, 0);
  return {
    el: area,
    focus: () => area.focus({ preventScroll: true }),
    get at() {
      return area.selectionStart;
    },
    get value() {
      return area.value;
    },
    get readOnly() {
      return area.readOnly;
    },
    set readOnly(on: boolean) {
      area.readOnly = on;
    },
  };
}

/** A text area whose keys do not trigger the notebook's shortcuts. */
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

/** Replaces the selection; the browser's undo can revert it. */
function insert(area: HTMLTextAreaElement, text: string): void {
  if (text !== "" && typeof document.execCommand === "function" && document.execCommand("insertText", false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}
