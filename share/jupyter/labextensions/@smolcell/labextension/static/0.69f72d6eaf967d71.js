"use strict";(self.rspackChunk_smolcell_labextension=self.rspackChunk_smolcell_labextension||[]).push([[0],{"./node_modules/css-loader/dist/cjs.js!./src/core/style.css"(l,e,o){var s=o("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),a=o.n(s),r=o("./node_modules/css-loader/dist/runtime/api.js"),t=o.n(r),c=o("./node_modules/css-loader/dist/cjs.js!./src/core/style/theme.css"),i=o("./node_modules/css-loader/dist/cjs.js!./src/core/style/base.css"),n=o("./node_modules/css-loader/dist/cjs.js!./src/core/style/ends.css"),d=o("./node_modules/css-loader/dist/cjs.js!./src/core/style/step.css"),m=o("./node_modules/css-loader/dist/cjs.js!./src/core/style/prose.css"),p=o("./node_modules/css-loader/dist/cjs.js!./src/core/style/code.css"),u=o("./node_modules/css-loader/dist/cjs.js!./src/core/style/observation.css"),f=o("./node_modules/css-loader/dist/cjs.js!./src/core/style/windows.css"),b=t()(a());b.i(c.A),b.i(i.A),b.i(n.A),b.i(d.A),b.i(m.A),b.i(p.A),b.i(u.A),b.i(f.A),b.push([l.id,`/* The card's style, a file for each concern. The order matters: of two rules with the same specificity the later one wins. */
`,""]),o.d(e,{},{A:b})},"./node_modules/css-loader/dist/cjs.js!./src/core/style/base.css"(l,e,o){var s=o("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),a=o.n(s),r=o("./node_modules/css-loader/dist/runtime/api.js"),t=(o.n(r))()(a());t.push([l.id,`/* The card itself, its text and buttons. */

.smolcell-card {
  box-sizing: border-box;
  max-width: 100%;
  margin: 4px 3px;
  padding: 12px 14px;
  border: 1px solid var(--c-line);
  border-radius: 6px;
  background: var(--c-back);
  color: var(--c-text);
  font: var(--jp-ui-font-size1, 13px) / 1.5 var(--jp-ui-font-family, system-ui, sans-serif);
  overflow-wrap: anywhere;
}

.smolcell-card *,
.smolcell-card *::before {
  box-sizing: border-box;
}

.smolcell-card [hidden] {
  display: none !important;
}

.smolcell-card :focus-visible,
.smolcell-card:focus-visible {
  outline: 2px solid var(--c-brand);
  outline-offset: 2px;
}

.smolcell-card p,
.smolcell-card ul,
.smolcell-card pre,
.smolcell-card h4 {
  margin: 0;
  padding: 0;
  font-size: inherit;
}

.smolcell-card :where(p, ul, pre, h4, code) {
  color: inherit;
}

.smolcell-card ul {
  list-style: none;
}

.smolcell-card code,
.smolcell-card pre {
  border: 0;
  background: none;
  font-family: var(--mono);
  font-size: var(--mono-size);
}

.smolcell-quiet,
.smolcell-figures,
.smolcell-hint {
  color: var(--c-quiet);
}

.smolcell-figures {
  font-variant-numeric: tabular-nums;
}

/* --- buttons --- */

.smolcell-card .smolcell-button {
  min-height: 28px;
  padding: 3px 12px;
  border: 1px solid var(--c-line);
  border-radius: 4px;
  background: var(--c-back);
  color: var(--c-text);
  font: inherit;
  cursor: pointer;
}

.smolcell-card .smolcell-button:hover:enabled:not([aria-disabled]) {
  border-color: var(--c-brand);
}

.smolcell-card .smolcell-button:disabled,
.smolcell-card .smolcell-button[aria-disabled] {
  cursor: default;
  opacity: 0.55;
}

/* the half second in which a click does not count yet (SETTLE_MS in decision-input.ts) */
.smolcell-card .smolcell-primary[aria-disabled] {
  animation: smolcell-arming 500ms linear;
}

@keyframes smolcell-arming {
  from {
    box-shadow: 0 0 0 6px var(--c-brand);
  }

  to {
    box-shadow: 0 0 0 0 var(--c-brand);
  }
}

@media (prefers-reduced-motion: reduce) {
  .smolcell-card .smolcell-primary[aria-disabled] {
    animation: none;
  }
}

.smolcell-card .smolcell-primary {
  border-color: var(--c-brand);
  background: var(--c-brand);
  color: var(--c-on-brand);
  font-weight: 600;
}

.smolcell-card .smolcell-danger {
  border-color: var(--c-bad);
  color: var(--c-bad);
}

.smolcell-card .smolcell-button.smolcell-quiet {
  border-style: dashed;
}

.smolcell-stop {
  flex: none;
}

.smolcell-card .smolcell-key {
  padding: 0 4px;
  border: 1px solid currentcolor;
  border-radius: 3px;
  background: none;
  box-shadow: none;
  color: inherit;
  font: 0.8em / 1.2 var(--mono);
  opacity: 0.7;
}

/* --- for screen readers --- */

.smolcell-announcer,
.smolcell-spoken {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
`,""]),o.d(e,{},{A:t})},"./node_modules/css-loader/dist/cjs.js!./src/core/style/code.css"(l,e,o){var s=o("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),a=o.n(s),r=o("./node_modules/css-loader/dist/runtime/api.js"),t=(o.n(r))()(a());t.push([l.id,`/* Programs: the code, its findings, the user's changes. */

/* --- code: every character is visible, so lines wrap, also at spaces --- */

.smolcell-code {
  padding: 6px 0;
  border: 1px solid var(--c-line);
  border-radius: 4px;
  background: var(--c-inset);
}

.smolcell-line {
  display: flex;
  padding-right: 10px;
  line-height: 1.45;
}

.smolcell-number {
  flex: none;
  width: calc(var(--smolcell-digits, 2) * 1ch + 20px);
  padding-right: 10px;
  color: var(--c-quiet);
  font-family: var(--mono);
  font-size: var(--mono-size);
  text-align: right;
  user-select: none;
}

.smolcell-number::before {
  content: attr(data-n);
}

/* a text, not a program */
.smolcell-code:is([data-kind="question"], [data-kind="budget"], [data-kind="output"]) .smolcell-number {
  width: 10px;
  padding: 0;
  visibility: hidden;
}

.smolcell-card .smolcell-source {
  flex: 1;
  min-width: 0;
  padding: 0;
  overflow-wrap: anywhere;
  tab-size: 4;
  white-space: break-spaces;
  direction: ltr;
  unicode-bidi: bidi-override; /* in logical order, whatever the letters are */
}

.smolcell-line.smolcell-low,
.smolcell-line.smolcell-high {
  background: var(--c-warn-back);
}

.smolcell-line.smolcell-high,
.smolcell-line.smolcell-error-line {
  background: var(--c-bad-back);
}

.smolcell-line.smolcell-low {
  box-shadow: inset 3px 0 var(--c-warn);
}

.smolcell-line.smolcell-high,
.smolcell-line.smolcell-error-line {
  box-shadow: inset 3px 0 var(--c-bad);
}

.smolcell-keyword,
.smolcell-decorator {
  color: var(--c-keyword);
}

.smolcell-keyword {
  font-weight: 600;
}

.smolcell-string {
  color: var(--c-string);
}

.smolcell-expression {
  text-decoration: underline dotted;
  text-underline-offset: 3px;
}

.smolcell-number-literal {
  color: var(--c-number);
}

.smolcell-comment {
  color: var(--c-comment);
  font-style: italic;
}

.smolcell-builtin {
  color: var(--c-builtin);
}

.smolcell-hidden-char {
  padding: 0 2px;
  border-radius: 2px;
  background: var(--c-bad);
  color: var(--c-back);
  font-size: 0.9em;
}

.smolcell-foreign-char {
  border-radius: 2px;
  background: var(--c-warn-back);
  box-shadow: inset 0 0 0 1px var(--c-warn);
  color: var(--c-warn);
}

.smolcell-findings {
  display: grid;
  gap: 2px;
}

.smolcell-mark {
  padding: 0 6px;
  border-radius: 3px;
  font-size: 0.92em;
}

.smolcell-high .smolcell-mark {
  background: var(--c-bad-back);
  color: var(--c-bad);
}

.smolcell-low .smolcell-mark {
  background: var(--c-warn-back);
  color: var(--c-warn);
}

.smolcell-facts {
  display: flex;
  flex-wrap: wrap;
  gap: 2px 14px;
  color: var(--c-quiet);
}

/* --- the user's changes --- */

.smolcell-diff .smolcell-sign {
  flex: none;
  width: 28px;
  color: var(--c-quiet);
  font-family: var(--mono);
  font-size: var(--mono-size);
  text-align: center;
  user-select: none;
}

.smolcell-line.smolcell-taken-out {
  background: var(--c-bad-back);
}

.smolcell-line.smolcell-put-in {
  background: var(--c-good-back);
}
`,""]),o.d(e,{},{A:t})},"./node_modules/css-loader/dist/cjs.js!./src/core/style/ends.css"(l,e,o){var s=o("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),a=o.n(s),r=o("./node_modules/css-loader/dist/runtime/api.js"),t=(o.n(r))()(a());t.push([l.id,`/* The head of a card (task, sandbox) and its foot (progress, answer, receipt). */

/* --- head --- */

.smolcell-head {
  display: flex;
  gap: 12px;
  align-items: flex-start;
  justify-content: space-between;
}

.smolcell-head-text,
.smolcell-head-parts {
  display: grid;
  flex: 1;
  gap: 6px;
  min-width: 0;
}

.smolcell-task {
  font-size: 1.08em;
  font-weight: 600;
  white-space: pre-wrap;
}

.smolcell-clamped {
  display: -webkit-box;
  overflow: hidden;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 2;
  line-clamp: 2;
}

.smolcell-card .smolcell-button.smolcell-more {
  min-height: 24px;
  padding: 0;
  border: 0;
  background: none;
  color: var(--c-brand);
}

.smolcell-facts-line {
  display: flex;
  flex-wrap: wrap;
  gap: 2px 0;
  color: var(--c-quiet);
}

.smolcell-chip:not(:last-child)::after {
  content: "\\00b7";
  padding: 0 7px;
}

.smolcell-summary {
  cursor: pointer;
  color: var(--c-quiet);
}

.smolcell-fold[open] > .smolcell-summary {
  margin-bottom: 4px;
}

.smolcell-fold > :not(.smolcell-summary) {
  margin-left: 16px !important;
}

.smolcell-badge {
  padding: 0 7px;
  border-radius: 9px;
  font-size: 0.92em;
  white-space: nowrap;
}

.smolcell-safe,
.smolcell-stands {
  background: var(--c-good-back);
  color: var(--c-good);
}

.smolcell-open,
.smolcell-missing {
  background: var(--c-warn-back);
  color: var(--c-warn);
}

.smolcell-stands,
.smolcell-missing {
  display: inline-block;
  min-width: 5em;
  border-radius: 3px;
  text-align: center;
}

.smolcell-wall {
  margin-bottom: 2px;
}

.smolcell-about {
  color: var(--c-quiet);
  white-space: pre-wrap;
}

/* --- progress and receipt --- */

.smolcell-now,
.smolcell-notices,
.smolcell-answer,
.smolcell-foot {
  margin-top: 10px;
}

.smolcell-now {
  display: flex;
  gap: 12px;
  align-items: center;
  justify-content: space-between;
}

/* While the run works, Stop stays visible at the bottom of the window. Not while a step waits: nothing may cover what
   the user is about to approve, and the step has its own Stop. */
.smolcell-now[data-floating="true"] {
  position: sticky;
  bottom: 0;
  padding: 6px 0;
  background: var(--c-back);
}

/* The notebook's boxes around an output scroll, so Stop would float inside them. Meanwhile they only clip. */
.jp-Cell:not(.jp-mod-outputsScrolled)
  :is(.jp-OutputArea, .jp-OutputArea-child, .jp-OutputArea-output):has(.smolcell-now[data-floating="true"]) {
  overflow: clip;
}

.smolcell-progress {
  color: var(--c-quiet);
  font-variant-numeric: tabular-nums;
}

.smolcell-card[data-link="dead"] .smolcell-progress {
  color: var(--c-bad);
}

.smolcell-answer {
  padding: 8px 12px;
  border-radius: 4px;
  background: var(--c-good-back);
}

.smolcell-card .smolcell-answer .smolcell-table thead :is(th, td) {
  background: var(--c-good-back);
}

.smolcell-answer.smolcell-uncomputed,
.smolcell-card .smolcell-uncomputed .smolcell-table thead :is(th, td) {
  background: var(--c-warn-back);
}

.smolcell-card .smolcell-answer-table {
  overflow-x: auto;
  line-height: 1.4;
  overflow-wrap: normal;
  white-space: pre;
}

.smolcell-foot {
  display: grid;
  gap: 4px;
  padding-top: 8px;
  border-top: 1px solid var(--c-line);
}

.smolcell-receipt {
  display: flex;
  flex-wrap: wrap;
  gap: 2px 12px;
}

.smolcell-receipt.smolcell-success strong {
  color: var(--c-good);
}

.smolcell-receipt:not(.smolcell-success) strong {
  color: var(--c-bad);
}

.smolcell-export {
  display: grid;
  gap: 4px;
  justify-items: start;
  margin-top: 8px;
}

.smolcell-export pre {
  max-width: 100%;
}

/* --- model, context and cost --- */

.smolcell-model {
  display: flex;
  flex-wrap: wrap;
  gap: 4px 12px;
  align-items: center;
  color: var(--c-quiet);
}

.smolcell-spent {
  font-variant-numeric: tabular-nums;
}

.smolcell-models,
.smolcell-models-said {
  flex-basis: 100%;
}

.smolcell-models-list {
  display: grid;
  gap: 2px;
  max-height: 240px;
  margin: 0 0 8px;
  padding: 6px 10px;
  overflow: auto;
  border: 1px solid var(--c-line);
  border-radius: 4px;
}

.smolcell-models-row {
  display: flex;
  flex-wrap: wrap;
  gap: 0 8px;
  align-items: center;
  min-height: 26px;
  color: var(--c-text);
}

.smolcell-models-row input {
  margin: 0;
  accent-color: var(--c-brand);
}

/* --- fixed code, the next task --- */

.smolcell-mend,
.smolcell-follow {
  display: grid;
  gap: 6px;
  margin-top: 10px;
}

.smolcell-bar {
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  align-items: flex-start;
}

.smolcell-by-hand {
  display: grid;
  gap: 4px;
  justify-items: start;
}

.smolcell-follow .smolcell-next-task {
  flex: 1 1 240px;
  width: auto;
  field-sizing: content;
  max-height: 160px;
}

/* --- parts of the notebook that are sent to the model --- */

.smolcell-card .smolcell-pieces {
  width: 100%;
  margin: 4px 0;
  padding: 0;
  list-style: none;
}

.smolcell-piece {
  display: flex;
  gap: 8px;
  align-items: baseline;
}

.smolcell-piece > :last-child {
  min-width: 0;
  flex: 1;
}

.smolcell-digest {
  color: var(--c-quiet);
  font-size: 0.85em;
  overflow-wrap: anywhere;
}

.smolcell-piece details > .smolcell-digest {
  display: block;
}

.smolcell-card .smolcell-piece-text {
  max-height: 16em;
  overflow: auto;
  padding: 4px 8px;
  background: var(--c-inset);
  font-family: var(--mono);
  font-size: var(--mono-size);
  white-space: pre-wrap;
}
`,""]),o.d(e,{},{A:t})},"./node_modules/css-loader/dist/cjs.js!./src/core/style/observation.css"(l,e,o){var s=o("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),a=o.n(s),r=o("./node_modules/css-loader/dist/runtime/api.js"),t=(o.n(r))()(a());t.push([l.id,`/* The outputs of a step: printed text, tables, images, errors. */

/* --- observations --- */

.smolcell-ansi-bold { font-weight: 700; }
.smolcell-ansi-dim { color: var(--c-quiet); }
.smolcell-ansi-italic { font-style: italic; }
.smolcell-ansi-underline { text-decoration: underline; }
.smolcell-ansi-0 { color: var(--c-ansi-0); }
.smolcell-ansi-1 { color: var(--c-ansi-1); }
.smolcell-ansi-2 { color: var(--c-ansi-2); }
.smolcell-ansi-3 { color: var(--c-ansi-3); }
.smolcell-ansi-4 { color: var(--c-ansi-4); }
.smolcell-ansi-5 { color: var(--c-ansi-5); }
.smolcell-ansi-6 { color: var(--c-ansi-6); }
.smolcell-ansi-7 { color: var(--c-ansi-7); }

/* A background also sets the colour of the text, so that no style hides it. */
[class*="smolcell-on-"] { color: var(--c-back); }
.smolcell-on-text, .smolcell-on-0 { background: var(--c-ansi-0); }
.smolcell-on-1 { background: var(--c-ansi-1); }
.smolcell-on-2 { background: var(--c-ansi-2); }
.smolcell-on-3 { background: var(--c-ansi-3); }
.smolcell-on-4 { background: var(--c-ansi-4); }
.smolcell-on-5 { background: var(--c-ansi-5); }
.smolcell-on-6 { background: var(--c-ansi-6); }
.smolcell-on-7 { background: var(--c-ansi-7); }

.smolcell-table-part {
  display: grid;
  gap: 2px;
  min-width: 0;
}

.smolcell-table-box {
  width: fit-content;
  max-width: 100%;
  max-height: 30em;
  overflow: auto;
  border-bottom: 1px solid var(--c-line);
}

.smolcell-table tbody tr:last-child > * {
  border-bottom: 0 !important;
}

.smolcell-card .smolcell-table {
  width: auto;
  margin: 0;
  border-collapse: collapse;
  font-size: inherit;
  font-variant-numeric: tabular-nums;
}

.smolcell-card .smolcell-table tr {
  background: none;
}

.smolcell-card .smolcell-table :is(th, td) {
  max-width: 30em;
  padding: 2px 10px;
  border: 0;
  border-bottom: 1px solid var(--c-line);
  color: inherit;
  font-weight: 400;
  overflow-wrap: normal;
  text-align: left;
  vertical-align: top;
  white-space: pre-wrap;
}

.smolcell-card .smolcell-table thead :is(th, td) {
  position: sticky;
  top: 0;
  background: var(--c-back);
  font-weight: 600;
}

.smolcell-card .smolcell-table :is(th, td).smolcell-numeric {
  text-align: right;
  white-space: nowrap;
}

.smolcell-card .smolcell-table tbody th {
  color: var(--c-quiet);
}

.smolcell-frame {
  display: block;
  width: calc(100% - 16px);
  height: 20em;
  border: 1px solid var(--c-line);
  border-radius: 4px;
  background: #fff;
  resize: vertical;
}

.smolcell-card .smolcell-printed,
.smolcell-card .smolcell-result,
.smolcell-card .smolcell-traceback {
  max-height: 24em;
  padding: 6px 10px;
  overflow: auto;
  border-left: 2px solid var(--c-line);
  line-height: 1.4;
  overflow-wrap: normal;
  white-space: pre;
}

.smolcell-image {
  display: block;
  max-width: 100%;
  height: auto;
  object-fit: contain;
  border-radius: 4px;
  background: #fff;
}

/* of one size before and after the browser has read it */
.smolcell-video {
  width: 640px;
  aspect-ratio: 16 / 9;
}

.smolcell-chart {
  display: grid;
  gap: 4px;
  justify-items: start;
  min-width: 0;
  overflow-y: auto;
}

.smolcell-chart > * {
  min-width: 0;
  max-width: 100%;
}

.smolcell-formula {
  max-width: 100%;
  overflow: auto hidden;
}

.smolcell-fault {
  display: grid;
  gap: 4px;
  padding: 8px 10px;
  border-radius: 4px;
  background: var(--c-bad-back);
}

.smolcell-fault-title {
  color: var(--c-bad);
  white-space: pre-wrap;
}

.smolcell-fault-kind:empty {
  display: none;
}

.smolcell-fault-line {
  display: flex;
  gap: 10px;
}

.smolcell-fault-line > span {
  flex: none;
}

.smolcell-fault-line code {
  white-space: pre-wrap;
}

.smolcell-note {
  color: var(--c-warn);
}

.smolcell-changed,
.smolcell-files {
  color: var(--c-quiet);
}
`,""]),o.d(e,{},{A:t})},"./node_modules/css-loader/dist/cjs.js!./src/core/style/prose.css"(l,e,o){var s=o("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),a=o.n(s),r=o("./node_modules/css-loader/dist/runtime/api.js"),t=(o.n(r))()(a());t.push([l.id,`/* A model's prose: Markdown. */

.smolcell-thought,
.smolcell-prose,
.smolcell-reasoning {
  display: grid;
  gap: 6px;
}

.smolcell-thought > *,
.smolcell-prose > *,
.smolcell-reasoning > * {
  min-width: 0;
}

.smolcell-card :is(.smolcell-thought, .smolcell-prose, .smolcell-reasoning) > .smolcell-table {
  display: block;
  justify-self: start;
  max-width: 100%;
  overflow-x: auto;
}

.smolcell-as-it-is {
  white-space: pre-wrap;
}

.smolcell-card .smolcell-heading {
  margin: 4px 0 0;
  color: inherit;
  font-size: inherit;
  font-weight: 600;
  line-height: inherit;
}

.smolcell-card .smolcell-list {
  margin: 0;
  padding-left: 1.6em;
}

.smolcell-card ul.smolcell-list {
  list-style: disc;
}

.smolcell-card ol.smolcell-list {
  list-style: decimal;
}

.smolcell-list > li {
  margin: 0;
}

.smolcell-card .smolcell-quoted {
  margin: 0;
  padding: 0 0 0 10px;
  border-left: 2px solid var(--c-line);
  color: var(--c-quiet);
}

.smolcell-card :is(.smolcell-paragraph, .smolcell-list, .smolcell-heading) code {
  padding: 0 3px;
  border-radius: 3px;
  background: var(--c-inset);
  color: inherit;
}

.smolcell-card .smolcell-sample {
  padding: 6px 10px;
  overflow-x: auto;
  border: 1px dashed var(--c-line);
  border-radius: 4px;
  line-height: 1.4;
  overflow-wrap: normal;
  white-space: pre-wrap;
}

.smolcell-card .smolcell-rule {
  width: 100%;
  height: 0;
  margin: 2px 0;
  border: 0;
  border-top: 1px solid var(--c-line);
}

.smolcell-address {
  text-decoration: underline dotted;
  text-underline-offset: 3px;
}

/* --- an answer --- */

.smolcell-formula-in-text {
  display: inline-block;
}

.smolcell-copied {
  position: relative;
}

.smolcell-card .smolcell-copied > .smolcell-sample {
  padding-right: 5em; /* room for the button */
}

.smolcell-card .smolcell-copied > .smolcell-copy {
  position: absolute;
  top: 4px;
  right: 4px;
  padding: 0 8px;
  font-size: 0.9em;
}
`,""]),o.d(e,{},{A:t})},"./node_modules/css-loader/dist/cjs.js!./src/core/style/step.css"(l,e,o){var s=o("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),a=o.n(s),r=o("./node_modules/css-loader/dist/runtime/api.js"),t=(o.n(r))()(a());t.push([l.id,`/* A step and its controls. */

/* --- steps --- */

/* Steps out of view are not laid out, so that the five hundredth step is as fast as the fifth. */
.smolcell-batch,
.smolcell-step {
  content-visibility: auto;
  contain-intrinsic-size: auto 12em;
}

/* except charts: their pictures are taken even out of view */
.smolcell-step:has(.smolcell-chart) {
  content-visibility: visible;
}

.smolcell-step {
  display: grid;
  gap: 6px;
  margin-top: 12px;
  padding: 2px 0 2px 12px;
  border-left: 3px solid var(--c-line);
  min-width: 0;
}

.smolcell-step > * {
  min-width: 0;
}

/* a call of a step, and a managed agent's run: below their caller */
.smolcell-step[data-call]:not([data-call="0"]),
.smolcell-runs {
  margin-left: 16px;
}

/* ideas for one step: side by side, as far as there is room */
.smolcell-steps > .smolcell-step[data-idea="true"],
.smolcell-batch > .smolcell-step[data-idea="true"] {
  display: inline-grid;
  width: calc(33.3% - 24px);
  min-width: 160px;
  margin-right: 4px;
  vertical-align: top;
}

/* going back: once the run is over, and for the steps of the card's own run */
.smolcell-card:not([data-over="true"]) .smolcell-back,
.smolcell-runs .smolcell-back {
  display: none;
}

.smolcell-run > .smolcell-steps > .smolcell-step:first-child {
  margin-top: 4px;
}

.smolcell-step[data-status="pending"] {
  border-left-color: var(--c-brand);
}

.smolcell-step[data-status="failed"] {
  border-left-color: var(--c-bad);
}

.smolcell-step-head {
  display: flex;
  flex-wrap: wrap;
  gap: 2px 10px;
  align-items: baseline;
}

.smolcell-card .smolcell-step-title,
.smolcell-card .smolcell-answer-title {
  font-weight: 600;
}

.smolcell-step-facts {
  display: contents;
}

.smolcell-card .smolcell-button.smolcell-step-toggle {
  min-height: 24px;
  padding: 0;
  border: 0;
  background: none;
  font-weight: 600;
  text-align: left;
}

.smolcell-step-toggle::before {
  content: "\\25bc";
  display: inline-block;
  width: 1.6em;
  color: var(--c-quiet);
  font-size: 0.75em;
}

.smolcell-step-toggle[aria-expanded="false"]::before {
  content: "\\25b6";
}

.smolcell-step[data-collapsed="true"] > :not(.smolcell-step-head) {
  display: none;
}

.smolcell-status {
  padding: 0 7px;
  border-radius: 9px;
  background: var(--c-inset);
  font-size: 0.92em;
}

.smolcell-status.smolcell-done {
  background: var(--c-good-back);
  color: var(--c-good);
}

.smolcell-status.smolcell-pending {
  background: var(--c-brand);
  color: var(--c-on-brand);
}

.smolcell-status.smolcell-failed {
  background: var(--c-bad-back);
  color: var(--c-bad);
}

.smolcell-status.smolcell-refused,
.smolcell-status.smolcell-unparsed,
.smolcell-status.smolcell-cut {
  background: var(--c-warn-back);
  color: var(--c-warn);
}

.smolcell-step-head .smolcell-figures {
  font-size: 0.92em;
}

.smolcell-answer-text {
  white-space: pre-wrap;
}

.smolcell-reasoning {
  max-height: 15em;
  overflow-y: auto;
  color: var(--c-quiet);
}

.smolcell-part {
  display: grid;
  gap: 6px;
  min-width: 0;
}

.smolcell-part > * {
  min-width: 0;
}

.smolcell-card .smolcell-draft {
  padding: 6px 10px;
  border: 1px dashed var(--c-line);
  border-radius: 4px;
  color: var(--c-quiet);
  white-space: pre-wrap;
}

/* --- controls --- */

.smolcell-controls > .smolcell-note {
  white-space: pre-wrap;
}

.smolcell-controls {
  display: grid;
  gap: 6px;
  padding: 8px 0 2px;
}

.smolcell-step > * {
  scroll-margin-bottom: 4em; /* room for the floating Stop */
}

.smolcell-row {
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  align-items: center;
}

.smolcell-message,
.smolcell-unread {
  color: var(--c-warn);
}

.smolcell-card textarea {
  display: block;
  width: 100%;
  padding: 6px 10px;
  border: 1px solid var(--c-line);
  border-radius: 4px;
  background: var(--c-inset);
  color: var(--c-text);
  font: inherit;
  resize: vertical;
}

.smolcell-row > :is(.smolcell-editor, .smolcell-part) {
  flex: 1 0 100%;
  min-width: 0;
  max-width: 100%;
}

.smolcell-card .smolcell-program {
  font-family: var(--mono);
  font-size: var(--mono-size);
  line-height: 1.45;
  tab-size: 4;
}

.smolcell-hint {
  flex-basis: 100%;
  font-size: 0.92em;
}
`,""]),o.d(e,{},{A:t})},"./node_modules/css-loader/dist/cjs.js!./src/core/style/theme.css"(l,e,o){var s=o("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),a=o.n(s),r=o("./node_modules/css-loader/dist/runtime/api.js"),t=(o.n(r))()(a());t.push([l.id,`/* The card's colours: Jupyter's variables if there are any, else fallbacks, light or dark. */

.smolcell-card {
  --c-text: var(--jp-ui-font-color1, #1f2328);
  --c-quiet: var(--jp-ui-font-color2, #57606a);
  --c-line: var(--jp-border-color2, #d0d7de);
  --c-back: var(--jp-layout-color1, #fff);
  --c-inset: var(--jp-cell-editor-background, #f6f8fa);
  --c-brand: #1259a8;
  --c-on-brand: #fff;
  --c-good: #1a7034;
  --c-good-back: #e2f4e6;
  --c-warn: #7a5000;
  --c-warn-back: #fff4d6;
  --c-bad: #b3261e;
  --c-bad-back: #fdeceb;
  --c-keyword: #00700f;
  --c-string: #a31515;
  --c-number: #0a5f5f;
  --c-comment: #5a6b6b;
  --c-builtin: #6f42c1;
  --c-ansi-0: var(--c-text);
  --c-ansi-1: #b3261e;
  --c-ansi-2: #1a7034;
  --c-ansi-3: #7a5000;
  --c-ansi-4: #1259a8;
  --c-ansi-5: #8a2f8f;
  --c-ansi-6: #0a5f6f;
  --c-ansi-7: var(--c-quiet);
  --mono: var(--jp-code-font-family, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace);
  --mono-size: var(--jp-code-font-size, 13px);
}

body[data-jp-theme-light="false"] .smolcell-card,
body.vscode-dark .smolcell-card,
html[theme="dark"] .smolcell-card {
  --c-text: var(--jp-ui-font-color1, #e6edf3);
  --c-quiet: var(--jp-ui-font-color2, #a3adb8);
  --c-line: var(--jp-border-color2, #434b54);
  --c-back: var(--jp-layout-color1, #15191f);
  --c-inset: var(--jp-cell-editor-background, #20262d);
  --c-brand: #8ec1ff;
  --c-on-brand: #06203d;
  --c-good: #6fd388;
  --c-good-back: #16321e;
  --c-warn: #f0c35b;
  --c-warn-back: #3a2f12;
  --c-bad: #ff938a;
  --c-bad-back: #43201f;
  --c-keyword: #7ee08a;
  --c-string: #ffa28b;
  --c-number: #7fd6d6;
  --c-comment: #9db0b0;
  --c-builtin: #c7a6ff;
  --c-ansi-0: var(--c-text);
  --c-ansi-1: #ff938a;
  --c-ansi-2: #6fd388;
  --c-ansi-3: #f0c35b;
  --c-ansi-4: #8ec1ff;
  --c-ansi-5: #f0a0f5;
  --c-ansi-6: #7fd6d6;
  --c-ansi-7: var(--c-quiet);
}

/* Outside of Jupyter, VS Code and Colab: the system's setting. */
@media (prefers-color-scheme: dark) {
  html:not([theme]) body:not([data-jp-theme-light]):not(.vscode-light) .smolcell-card {
    --c-text: #e6edf3;
    --c-quiet: #a3adb8;
    --c-line: #434b54;
    --c-back: #15191f;
    --c-inset: #20262d;
    --c-brand: #8ec1ff;
    --c-on-brand: #06203d;
    --c-good: #6fd388;
    --c-good-back: #16321e;
    --c-warn: #f0c35b;
    --c-warn-back: #3a2f12;
    --c-bad: #ff938a;
    --c-bad-back: #43201f;
    --c-keyword: #7ee08a;
    --c-string: #ffa28b;
    --c-number: #7fd6d6;
    --c-comment: #9db0b0;
    --c-builtin: #c7a6ff;
    --c-ansi-0: var(--c-text);
    --c-ansi-1: #ff938a;
    --c-ansi-2: #6fd388;
    --c-ansi-3: #f0c35b;
    --c-ansi-4: #8ec1ff;
    --c-ansi-5: #f0a0f5;
    --c-ansi-6: #7fd6d6;
    --c-ansi-7: var(--c-quiet);
  }
}
`,""]),o.d(e,{},{A:t})},"./node_modules/css-loader/dist/cjs.js!./src/core/style/windows.css"(l,e,o){var s=o("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),a=o.n(s),r=o("./node_modules/css-loader/dist/runtime/api.js"),t=(o.n(r))()(a());t.push([l.id,`/* Narrow windows, and forced colours. Last, so that it wins. */

@media (max-width: 560px) {
  .smolcell-card {
    padding: 10px;
  }

  .smolcell-step {
    padding-left: 8px;
  }

  .smolcell-number {
    width: calc(var(--smolcell-digits, 2) * 1ch + 12px);
    padding-right: 6px;
  }
}

/* Forced colours remove backgrounds and shadows, so borders replace them. */
@media (forced-colors: active) {
  .smolcell-status,
  .smolcell-badge,
  .smolcell-mark,
  .smolcell-hidden-char,
  .smolcell-fault,
  .smolcell-answer {
    border: 1px solid;
  }

  .smolcell-line.smolcell-low,
  .smolcell-line.smolcell-high,
  .smolcell-line.smolcell-error-line,
  .smolcell-line.smolcell-taken-out,
  .smolcell-line.smolcell-put-in {
    border-left: 4px solid Highlight;
  }

  .smolcell-line.smolcell-low {
    border-left-style: dashed;
  }

  .smolcell-step[data-status="pending"],
  .smolcell-step[data-status="failed"] {
    border-left-color: Highlight;
  }

  .smolcell-card .smolcell-primary {
    border: 2px solid Highlight;
  }
}
`,""]),o.d(e,{},{A:t})},"./node_modules/css-loader/dist/cjs.js!./style/panel.css"(l,e,o){var s=o("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),a=o.n(s),r=o("./node_modules/css-loader/dist/runtime/api.js"),t=(o.n(r))()(a());t.push([l.id,`/* The side panel, the status item and cards in their own tab. Colours and sizes come from the theme. */

.smolcell-panel {
  background: var(--jp-layout-color1);
  color: var(--jp-ui-font-color1);
  font-size: var(--jp-ui-font-size1);
  min-width: 220px;
  overflow: auto;
}

.smolcell-panel-nothing {
  color: var(--jp-ui-font-color2);
  margin: 16px 12px;
}

.smolcell-panel-heading {
  background: var(--jp-layout-color1);
  border-bottom: 1px solid var(--jp-border-color2);
  color: var(--jp-ui-font-color1);
  font-size: var(--jp-ui-font-size0);
  font-weight: 600;
  letter-spacing: 0.05em;
  margin: 0;
  padding: 8px 12px;
  position: sticky;
  text-transform: uppercase;
  top: 0;
}

.smolcell-panel-list {
  list-style: none;
  margin: 0 0 8px;
  padding: 0;
}

.smolcell-panel-row {
  align-items: center;
  display: flex;
  flex-wrap: wrap;
  gap: 4px 8px;
  padding: 6px 12px;
}

.smolcell-panel-row:hover {
  background: var(--jp-layout-color2);
}

.smolcell-panel-text {
  flex: 1 1 120px;
  min-width: 0;
}

.smolcell-panel-title {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}

.smolcell-panel-about {
  color: var(--jp-ui-font-color2);
  font-size: var(--jp-ui-font-size0);
  overflow-wrap: anywhere;
}

.smolcell-panel-state {
  color: var(--jp-ui-font-color1);
}

.smolcell-panel-age,
.smolcell-panel-memory {
  white-space: nowrap;
}

/* Only for screen readers. */
.smolcell-panel-name {
  clip-path: inset(50%);
  height: 1px;
  overflow: hidden;
  position: absolute;
  white-space: nowrap;
  width: 1px;
}

.smolcell-panel-buttons {
  display: flex;
  gap: 4px;
}

.smolcell-panel .smolcell-button {
  background: var(--jp-layout-color1);
  border: 1px solid var(--jp-border-color1);
  border-radius: var(--jp-border-radius);
  color: var(--jp-ui-font-color1);
  cursor: pointer;
  font: inherit;
  padding: 2px 8px;
}

.smolcell-panel .smolcell-button:hover:enabled {
  background: var(--jp-layout-color3);
}

.smolcell-panel .smolcell-button:disabled {
  cursor: default;
  opacity: 0.5;
}

.smolcell-panel .smolcell-button:focus-visible,
.smolcell-status-item:focus-visible {
  outline: 2px solid var(--jp-brand-color1);
  outline-offset: 1px;
}

.smolcell-status-item {
  background: none;
  border: 0;
  color: inherit;
  cursor: pointer;
  font: inherit;
  padding: 0 4px;
}

.smolcell-status-item.smolcell-waits {
  font-weight: 600;
}

.smolcell-apart {
  background: var(--jp-layout-color0);
  overflow: auto;
  padding: 8px;
}

.smolcell-panel-variable {
  padding: 4px 12px;
}

.smolcell-panel-variable > summary {
  cursor: pointer;
}

.smolcell-panel-variable > summary code {
  font-family: var(--jp-code-font-family);
  font-weight: 600;
}

.smolcell-panel-value,
.smolcell-panel-variable .smolcell-table-box {
  font-family: var(--jp-code-font-family);
  font-size: var(--jp-code-font-size);
  margin: 4px 0;
  max-height: 14em;
  overflow: auto;
  white-space: pre-wrap;
}

.smolcell-panel-variable .smolcell-table-box :is(td, th) {
  padding: 1px 8px 1px 0;
  text-align: left;
  white-space: nowrap;
}

/* The tour: a note in the corner, above the status bar. */
.smolcell-tour {
  background: var(--jp-layout-color1);
  border: 1px solid var(--jp-border-color1);
  border-radius: 6px;
  bottom: 36px;
  box-shadow: var(--jp-elevation-z8);
  box-sizing: border-box;
  color: var(--jp-ui-font-color1);
  font-family: var(--jp-ui-font-family);
  font-size: var(--jp-ui-font-size1);
  left: 16px;
  line-height: 1.5;
  max-width: calc(100vw - 32px);
  padding: 12px 16px;
  position: fixed;
  width: 340px;
  z-index: 1000;
}

.smolcell-tour-count {
  color: var(--jp-ui-font-color2);
  font-size: var(--jp-ui-font-size0);
  margin: 0;
}

.smolcell-tour-title {
  font-size: var(--jp-ui-font-size2);
  font-weight: 600;
  margin: 2px 0 4px;
}

.smolcell-tour-text {
  margin: 0 0 12px;
}

.smolcell-tour code {
  background: var(--jp-layout-color2);
  font-family: var(--jp-code-font-family);
  font-size: 0.95em;
  padding: 0 3px;
  white-space: nowrap;
}

.smolcell-tour-buttons {
  display: flex;
  gap: 8px;
  justify-content: flex-end;
}

.smolcell-tour-skip {
  margin-right: auto;
}

.smolcell-tour .smolcell-button {
  background: var(--jp-layout-color1);
  border: 1px solid var(--jp-border-color1);
  border-radius: var(--jp-border-radius);
  color: var(--jp-ui-font-color1);
  cursor: pointer;
  font: inherit;
  padding: 2px 12px;
}

.smolcell-tour .smolcell-button:hover {
  background: var(--jp-layout-color3);
}

.smolcell-tour .smolcell-primary,
.smolcell-tour .smolcell-primary:hover {
  background: var(--jp-brand-color0, #0d47a1);
  border-color: transparent;
  color: #fff;
}

.smolcell-tour .smolcell-button:focus-visible {
  outline: 2px solid var(--jp-brand-color1);
  outline-offset: 1px;
}

.smolcell-tour-place {
  outline: 2px solid var(--jp-brand-color1);
  outline-offset: -2px;
}
`,""]),o.d(e,{},{A:t})},"./node_modules/css-loader/dist/cjs.js!./style/saved.css"(l,e,o){var s=o("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),a=o.n(s),r=o("./node_modules/css-loader/dist/runtime/api.js"),t=(o.n(r))()(a());t.push([l.id,`/* Saved runs. */

/* The live card above is gone with its kernel. Beside the saved run, the widgets' error message in its place is useless. */
.jp-OutputArea-child:has(> .jupyter-widgets, > .jupyter-widgets-disconnected):not(:has(.smolcell-card)):has(
    + .jp-OutputArea-child .smolcell-saved > .smolcell-card
  ) {
  display: none;
}

.smolcell-not-shown {
  margin: 4px 3px;
  padding: 8px 10px;
  border: 1px solid var(--jp-border-color2);
  border-radius: 6px;
  color: var(--jp-ui-font-color2);
  white-space: pre-wrap;
}
`,""]),o.d(e,{},{A:t})},"./node_modules/css-loader/dist/runtime/api.js"(l){l.exports=function(l){var e=[];return e.toString=function(){return this.map(function(e){var o="",s=void 0!==e[5];return e[4]&&(o+="@supports (".concat(e[4],") {")),e[2]&&(o+="@media ".concat(e[2]," {")),s&&(o+="@layer".concat(e[5].length>0?" ".concat(e[5]):""," {")),o+=l(e),s&&(o+="}"),e[2]&&(o+="}"),e[4]&&(o+="}"),o}).join("")},e.i=function(l,o,s,a,r){"string"==typeof l&&(l=[[null,l,void 0]]);var t={};if(s)for(var c=0;c<this.length;c++){var i=this[c][0];null!=i&&(t[i]=!0)}for(var n=0;n<l.length;n++){var d=[].concat(l[n]);s&&t[d[0]]||(void 0!==r&&(void 0===d[5]||(d[1]="@layer".concat(d[5].length>0?" ".concat(d[5]):""," {").concat(d[1],"}")),d[5]=r),o&&(d[2]&&(d[1]="@media ".concat(d[2]," {").concat(d[1],"}")),d[2]=o),a&&(d[4]?(d[1]="@supports (".concat(d[4],") {").concat(d[1],"}"),d[4]=a):d[4]="".concat(a)),e.push(d))}},e}},"./node_modules/css-loader/dist/runtime/noSourceMaps.js"(l){l.exports=function(l){return l[1]}},"./node_modules/style-loader/dist/runtime/injectStylesIntoStyleTag.js"(l){var e=[];function o(l){for(var o=-1,s=0;s<e.length;s++)if(e[s].identifier===l){o=s;break}return o}function s(l,s){for(var a={},r=[],t=0;t<l.length;t++){var c=l[t],i=s.base?c[0]+s.base:c[0],n=a[i]||0,d="".concat(i," ").concat(n);a[i]=n+1;var m=o(d),p={css:c[1],media:c[2],sourceMap:c[3],supports:c[4],layer:c[5]};if(-1!==m)e[m].references++,e[m].updater(p);else{var u=function(l,e){var o=e.domAPI(e);return o.update(l),function(e){e?(e.css!==l.css||e.media!==l.media||e.sourceMap!==l.sourceMap||e.supports!==l.supports||e.layer!==l.layer)&&o.update(l=e):o.remove()}}(p,s);s.byIndex=t,e.splice(t,0,{identifier:d,updater:u,references:1})}r.push(d)}return r}l.exports=function(l,a){var r=s(l=l||[],a=a||{});return function(l){l=l||[];for(var t=0;t<r.length;t++){var c=o(r[t]);e[c].references--}for(var i=s(l,a),n=0;n<r.length;n++){var d=o(r[n]);0===e[d].references&&(e[d].updater(),e.splice(d,1))}r=i}}},"./node_modules/style-loader/dist/runtime/insertBySelector.js"(l){var e={};l.exports=function(l,o){var s=function(l){if(void 0===e[l]){var o=document.querySelector(l);if(window.HTMLIFrameElement&&o instanceof window.HTMLIFrameElement)try{o=o.contentDocument.head}catch(l){o=null}e[l]=o}return e[l]}(l);if(!s)throw Error("Couldn't find a style target. This probably means that the value for the 'insert' parameter is invalid.");s.appendChild(o)}},"./node_modules/style-loader/dist/runtime/insertStyleElement.js"(l){l.exports=function(l){var e=document.createElement("style");return l.setAttributes(e,l.attributes),l.insert(e,l.options),e}},"./node_modules/style-loader/dist/runtime/setAttributesWithoutAttributes.js"(l,e,o){l.exports=function(l){var e=o.nc;e&&l.setAttribute("nonce",e)}},"./node_modules/style-loader/dist/runtime/styleDomAPI.js"(l){l.exports=function(l){if("u"<typeof document)return{update:function(){},remove:function(){}};var e=l.insertStyleElement(l);return{update:function(o){var s,a,r;s="",o.supports&&(s+="@supports (".concat(o.supports,") {")),o.media&&(s+="@media ".concat(o.media," {")),(a=void 0!==o.layer)&&(s+="@layer".concat(o.layer.length>0?" ".concat(o.layer):""," {")),s+=o.css,a&&(s+="}"),o.media&&(s+="}"),o.supports&&(s+="}"),(r=o.sourceMap)&&"u">typeof btoa&&(s+="\n/*# sourceMappingURL=data:application/json;base64,".concat(btoa(unescape(encodeURIComponent(JSON.stringify(r))))," */")),l.styleTagTransform(s,e,l.options)},remove:function(){var l;null===(l=e).parentNode||l.parentNode.removeChild(l)}}}},"./node_modules/style-loader/dist/runtime/styleTagTransform.js"(l){l.exports=function(l,e){if(e.styleSheet)e.styleSheet.cssText=l;else{for(;e.firstChild;)e.removeChild(e.firstChild);e.appendChild(document.createTextNode(l))}}},"./style/index.js"(l,e,o){var s=o("./node_modules/style-loader/dist/runtime/injectStylesIntoStyleTag.js"),a=o.n(s),r=o("./node_modules/style-loader/dist/runtime/styleDomAPI.js"),t=o.n(r),c=o("./node_modules/style-loader/dist/runtime/insertBySelector.js"),i=o.n(c),n=o("./node_modules/style-loader/dist/runtime/setAttributesWithoutAttributes.js"),d=o.n(n),m=o("./node_modules/style-loader/dist/runtime/insertStyleElement.js"),p=o.n(m),u=o("./node_modules/style-loader/dist/runtime/styleTagTransform.js"),f=o.n(u),b=o("./node_modules/css-loader/dist/cjs.js!./src/core/style.css"),h={};h.styleTagTransform=f(),h.setAttributes=d(),h.insert=i().bind(null,"head"),h.domAPI=t(),h.insertStyleElement=p(),a()(b.A,h),b.A&&b.A.locals&&b.A.locals;var g=o("./node_modules/css-loader/dist/cjs.js!./style/panel.css"),x={};x.styleTagTransform=f(),x.setAttributes=d(),x.insert=i().bind(null,"head"),x.domAPI=t(),x.insertStyleElement=p(),a()(g.A,x),g.A&&g.A.locals&&g.A.locals;var v=o("./node_modules/css-loader/dist/cjs.js!./style/saved.css"),w={};w.styleTagTransform=f(),w.setAttributes=d(),w.insert=i().bind(null,"head"),w.domAPI=t(),w.insertStyleElement=p(),a()(v.A,w),v.A&&v.A.locals&&v.A.locals}}]);