// CodeMirror for the editor of a step. The kernel sends this module when the first editor is opened. The card defines the colours.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";

import type { EditorModule, Field, FieldOptions } from "../core/editor";
import { escapeChar, INVISIBLE } from "../core/text";

const LOOKS = tagHighlighter([
  { tag: [tags.keyword, tags.bool, tags.null, tags.self], class: "smolcell-keyword" },
  { tag: tags.meta, class: "smolcell-decorator" },
  { tag: tags.string, class: "smolcell-string" },
  { tag: tags.number, class: "smolcell-number-literal" },
  { tag: tags.comment, class: "smolcell-comment" },
  { tag: tags.standard(tags.variableName), class: "smolcell-builtin" },
]);

const THEME = EditorView.theme({
  "&": { border: "1px solid var(--c-line)", borderRadius: "4px", backgroundColor: "var(--c-inset)", color: "var(--c-text)", fontSize: "var(--mono-size)" },
  "&.cm-focused": { outline: "2px solid var(--c-brand)", outlineOffset: "-2px" },
  ".cm-scroller": { maxHeight: "60vh", overflow: "auto", fontFamily: "var(--mono)", lineHeight: "1.45" },
  "& .cm-content.cm-content:focus-visible": { outline: "none" }, // the editor around it shows the focus
  ".cm-content": { caretColor: "var(--c-text)" },
  ".cm-cursor": { borderLeftColor: "var(--c-text)" },
  ".cm-gutters": { border: "0", backgroundColor: "transparent", color: "var(--c-quiet)" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 10px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--jp-editor-selected-focused-background, Highlight)" },
});

/** Shows invisible characters as the proposed code does. */
const invisibleMarks = highlightSpecialChars({
  addSpecialChars: INVISIBLE,
  render: (code, description) => {
    const mark = document.createElement("span");
    mark.className = "smolcell-hidden-char";
    mark.textContent = escapeChar(String.fromCodePoint(code));
    mark.title = description ?? "an invisible character";
    return mark;
  },
});

function extensions({ label, python: isPython, changed }: FieldOptions, locked: Extension): Extension[] {
  return [
    lineNumbers(),
    history(),
    invisibleMarks,
    drawSelection(),
    indentOnInput(),
    indentUnit.of("    "),
    EditorState.lineSeparator.of("\n"), // a carriage return stays in place and visible
    EditorView.lineWrapping,
    isPython ? python() : [],
    syntaxHighlighting(LOOKS),
    keymap.of([indentWithTab, ...historyKeymap, ...defaultKeymap]),
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
    EditorView.updateListener.of((update) => update.docChanged && changed()),
    THEME,
    locked,
  ];
}

export function edit(options: FieldOptions): Field {
  const place = new Compartment();
  const state = EditorState.create({ doc: options.text, selection: { anchor: options.at }, extensions: extensions(options, place.of([])) });
  const root = options.parent.getRootNode() as Document | ShadowRoot;
  const view = new EditorView({ state, parent: options.parent, root });
  return {
    el: view.dom,
    focus: () => view.focus(),
    get at() {
      return view.state.selection.main.head;
    },
    get value() {
      return view.state.sliceDoc();
    },
    get readOnly() {
      return view.state.readOnly;
    },
    set readOnly(on: boolean) {
      view.dispatch({ effects: place.reconfigure(EditorState.readOnly.of(on)) });
    },
  };
}

edit satisfies EditorModule["edit"];
