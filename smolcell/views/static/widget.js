// src/dom.ts
function h(tag, classes2, ...children) {
  const node = document.createElement(tag);
  if (classes2 !== "") node.className = classes2.split(" ").map((name2) => `smolcell-${name2}`).join(" ");
  node.append(...children.filter((child) => child !== null && child !== false));
  return node;
}
function button(label, look, act, key = "") {
  const node = h("button", `button ${look}`, label);
  node.type = "button";
  if (key !== "") {
    const hint = h("kbd", "key", key);
    hint.setAttribute("aria-hidden", "true");
    node.append(" ", hint);
    node.setAttribute("aria-keyshortcuts", key);
  }
  node.addEventListener("click", act);
  return node;
}
function fold(summary2, ...children) {
  return h("details", "fold", h("summary", "summary", summary2), ...children);
}
var Slot = class {
  constructor(el) {
    this.el = el;
  }
  el;
  before = null;
  /** Draws, if something changed; no children hides the place. */
  draw(values, children) {
    if (this.before?.every((value, at) => value === values[at]) && this.before.length === values.length) return;
    this.before = values;
    const kept2 = children().filter((child) => child !== null && child !== false);
    this.el.replaceChildren(...kept2);
    this.el.hidden = kept2.length === 0;
  }
};
var Growing = class {
  constructor(el) {
    this.el = el;
    el.hidden = true;
  }
  el;
  shown = "";
  /** Shows `text`; follows the end if the person was looking at the end, and never moves anything else. */
  set(text2) {
    if (text2 === this.shown) return;
    const follow = this.el.scrollTop + this.el.clientHeight >= this.el.scrollHeight - 4;
    if (text2.startsWith(this.shown)) this.el.append(text2.slice(this.shown.length));
    else this.el.textContent = text2;
    this.shown = text2;
    this.el.hidden = text2 === "";
    if (follow) this.el.scrollTop = this.el.scrollHeight;
  }
};

// src/text.ts
var UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\u{1d159}\u{e0100}-\u{e01ef}]/u;
var EACH_UNSEEN = new RegExp(UNSEEN.source, "gu");
var JOINED = /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?$/u;
function pieces(code) {
  const found = [];
  let seen = 0;
  for (const match of code.matchAll(EACH_UNSEEN)) {
    if (match.index > seen) found.push({ text: code.slice(seen, match.index), hidden: false });
    found.push({ text: escaped(match[0]), hidden: true });
    seen = match.index + match[0].length;
  }
  if (seen < code.length) found.push({ text: code.slice(seen), hidden: false });
  return found;
}
var TAB = "\\t";
function escaped(char) {
  return char === "	" ? TAB : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}
function readable(text2) {
  const plain = text2.replaceAll("\r\n", "\n");
  return plain.replace(EACH_UNSEEN, (char, at) => harmless(char, plain, at) ? char : escaped(char));
}
function harmless(char, text2, at) {
  if (char === "\n" || char === "	" || char === "\xA0") return true;
  if (char !== "\u200D" && char !== "\uFE0F") return false;
  return JOINED.test(text2.slice(Math.max(0, at - 5), at).replace(/\ufe0f$/u, ""));
}

// src/format.ts
function seconds(value) {
  if (value > 0 && value < 0.05) return "< 0.1 s";
  if (value < 10) return `${value.toFixed(1)} s`;
  if (value < 60) return `${Math.round(value)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value) % 60} s`;
}
function count(n, word2) {
  return `${n.toLocaleString("en")} ${word2}${n === 1 ? "" : "s"}`;
}
function tokens(usage) {
  const all = usage.input_tokens + usage.output_tokens;
  return all === 0 ? "" : `${usage.input_tokens.toLocaleString("en")} + ${usage.output_tokens.toLocaleString("en")} tokens`;
}
function cost(usage) {
  if (usage.cost === null) return "";
  return `$${usage.cost < 0.01 ? usage.cost.toFixed(4) : usage.cost.toFixed(2)}`;
}
function bytes(size) {
  if (size < 1e3) return count(size, "byte");
  const power = Math.min(3, Math.floor(Math.log10(size) / 3));
  return `${(size / 1e3 ** power).toPrecision(3)} ${["", "kB", "MB", "GB"][power]}`;
}
function filesText(files2) {
  return readable(files2.map(({ name: name2, size }) => `${name2} (${bytes(size)})`).join(", "));
}
function joined(...parts) {
  return parts.filter((part) => part !== "").join(" \xB7 ");
}

// src/announce.ts
var ENDS = {
  success: "The run is done.",
  max_steps_error: "The run stopped at its step limit.",
  refused: "The run ended without approval.",
  stopped: "The run was stopped.",
  error: "The run failed."
};
var Announcer = class {
  el = h("div", "announcer");
  told = /* @__PURE__ */ new Set();
  constructor() {
    this.el.setAttribute("aria-live", "polite");
    this.el.setAttribute("role", "status");
  }
  /** Says what is new in the run, once; `waiting` is the step that this page may decide about, of the run `of`. */
  tell(state, waiting, of = "") {
    const now = [...state.steps.flatMap(outcome), ...waiting === void 0 ? [] : [asking(waiting, of)], ...ending(state)];
    const fresh = now.filter(([key]) => !this.told.has(key));
    for (const [key] of fresh) this.told.add(key);
    const last = fresh.at(-1);
    if (last !== void 0) this.el.textContent = last[1];
  }
};
function outcome(step) {
  const { observation: observation2 } = step;
  if (observation2 === null || step.call > 0) return [];
  const said = observation2.error === null ? "is done" : `ended with an error: ${readable(observation2.error.type)}`;
  return [[`done ${step.n}`, `Step ${step.n} ${said}.`]];
}
function asking(step, run) {
  const warnings = step.findings.filter((finding) => finding.risk !== "none").length;
  const what = step.kind === "code" ? `${count(step.code.split("\n").length, "line")} of Python` : `a ${step.kind}`;
  return [`asks ${run} ${step.fingerprint} ${step.n}`, `Step ${step.n} waits for your decision: ${what}${warnings > 0 ? `, ${count(warnings, "warning")}` : ""}.`];
}
function ending({ ended: ended2 }) {
  return ended2 === null ? [] : [["ended", ENDS[ended2.state] ?? "The run is over."]];
}

// src/answer.ts
var SETTLE = 500;
function settled(since, now) {
  return since !== null && now - since >= SETTLE;
}
function clickCounts(sight, now) {
  return [sight.drawn, sight.pageVisible, sight.windowFocused].every((since) => settled(since, now));
}
function keyCounts(sight, now) {
  return clickCounts(sight, now) && settled(sight.inView, now) && settled(sight.cardFocused, now);
}
var KEYS = { a: "approve", e: "edit", r: "refuse", s: "stop" };
function choiceOf(key) {
  if (modified(key) || key.shiftKey || key.repeat || key.isComposing) return null;
  return KEYS[key.key.toLowerCase()] ?? null;
}
function kept(key) {
  return !modified(key) && (key.key.length === 1 || key.key === "Enter");
}
function modified(key) {
  return key.ctrlKey || key.altKey || key.metaKey;
}
function takesText(target) {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

// src/borrowed.ts
var PLACES = [".jp-Cell", ".jp-Notebook"];
var Borrowed = class {
  constructor(card, signal) {
    this.card = card;
    card.addEventListener("pointerdown", () => this.clicked(), { capture: true, signal });
    card.addEventListener("focusin", (event) => this.entered(event.relatedTarget), { signal });
  }
  card;
  from = null;
  /** Moves the focus from a button of the card, which may go, to the card itself. */
  keep() {
    if (this.active?.matches("button") && this.card.contains(this.active)) this.card.focus({ preventScroll: true });
  }
  /** Gives the focus back, if the card itself has it: not when the person reads on with it inside of the card. */
  giveBack() {
    if (this.active !== this.card) return;
    for (const place of [this.from, ...PLACES.map((selector) => this.card.closest(selector))]) {
      if (place?.isConnected) place.focus({ preventScroll: true });
      if (this.active !== this.card) return;
    }
  }
  get active() {
    const root = this.card.getRootNode();
    return root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
  }
  clicked() {
    const { active } = this;
    if (active !== null && active !== document.body && active.contains(this.card) && active !== this.card) this.from = null;
    else this.entered(active);
  }
  entered(from) {
    const elsewhere = from instanceof HTMLElement && !from.contains(this.card) && !this.card.contains(from);
    if (elsewhere) this.from = from;
  }
};

// src/table.ts
var TABLE = "application/vnd.smolcell.table+json";
var MOST_TEXT = 1e6;
var MOST_ROWS = 200;
var MOST_COLUMNS = 100;
var MOST_CELL = 1e3;
function tableOf(text2) {
  const grid = read(text2);
  if (grid === null) return null;
  const [rowGap, columnGap] = grid.gap;
  const head = h("tr", "", h("td", ""), ...spread(grid.columns.map((name2, at) => heading(name2, "col", grid.numeric[at])), columnGap, () => h("th", "", "\u2026")));
  const rows = grid.rows.map((cells, at) => row(grid, grid.index[at] ?? "", cells));
  const gapRow = () => h("tr", "gap", h("th", "", "\u2026"), ...spread(grid.columns.map(() => h("td", "", "\u2026")), columnGap, () => h("td", "", "\u2026")));
  const table2 = h("table", "table", h("thead", "", head), h("tbody", "", ...spread(rows, rowGap, gapRow)));
  const box = h("div", "table-box", table2);
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Table");
  return h("div", "table-part", box, h("p", "quiet", `${count(grid.shape[0], "row")} \xD7 ${count(grid.shape[1], "column")}`));
}
function row(grid, label, cells) {
  const shown2 = cells.map((cell, at) => h("td", grid.numeric[at] === true ? "numeric" : "", readable(cell)));
  return h("tr", "", heading(label, "row", false), ...spread(shown2, grid.gap[1], () => h("td", "", "\u2026")));
}
function heading(text2, scope, numeric = false) {
  const node = h("th", numeric ? "numeric" : "", readable(text2));
  node.scope = scope;
  return node;
}
function spread(nodes, after, more) {
  return after > 0 && after < nodes.length ? [...nodes.slice(0, after), more(), ...nodes.slice(after)] : nodes;
}
function read(text2) {
  if (text2.length > MOST_TEXT) return null;
  let given;
  try {
    given = JSON.parse(text2);
  } catch {
    return null;
  }
  if (typeof given !== "object" || given === null) return null;
  const { columns, index, rows, numeric, shape, gap } = given;
  if (!texts(columns, MOST_COLUMNS) || !texts(index, MOST_ROWS) || !Array.isArray(rows) || rows.length !== index.length) return null;
  if (!rows.every((cells) => texts(cells, MOST_COLUMNS) && cells.length === columns.length)) return null;
  if (!Array.isArray(numeric) || numeric.length !== columns.length || !numeric.every((one) => typeof one === "boolean")) return null;
  if (!counts(shape) || !counts(gap)) return null;
  return { columns, index, rows, numeric, shape, gap };
}
function texts(value, most) {
  return Array.isArray(value) && value.length <= most && value.every((text2) => typeof text2 === "string" && text2.length <= MOST_CELL);
}
function counts(value) {
  return Array.isArray(value) && value.length === 2 && value.every((n) => Number.isSafeInteger(n) && n >= 0);
}

// src/head.ts
var LONG_TASK = 160;
function headParts(state) {
  const facts = [state.model, state.sandbox, state.approve && `approve: ${state.approve}`, state.session && `session: ${state.session}`, state.resumes && "resumed"];
  return [
    h("ul", "facts-line", ...facts.filter((fact2) => fact2 !== "").map((fact2) => h("li", "chip", readable(fact2)))),
    state.boundary !== null && boundary(state.boundary),
    state.variables.length > 0 && variables(state.variables),
    state.files.length > 0 && h("p", "quiet", `Files copied in: ${filesText(state.files)}`),
    state.images > 0 && h("p", "quiet", `With ${count(state.images, "image")}.`)
  ];
}
function taskParts(state) {
  const text2 = readable(state.task);
  const shown2 = h("div", "task clamped", text2);
  const more = button("Show the whole task", "more", () => open(!shown2.classList.toggle("smolcell-clamped")));
  const open = (on) => {
    more.textContent = on ? "Show less of the task" : "Show the whole task";
    more.setAttribute("aria-expanded", String(on));
  };
  open(false);
  more.hidden = text2.length <= LONG_TASK && text2.trimEnd().split("\n").length <= 2;
  if (typeof ResizeObserver !== "undefined") new ResizeObserver(() => measure(shown2, more)).observe(shown2);
  return [shown2, more];
}
function measure(shown2, more) {
  if (shown2.clientHeight === 0 || !shown2.classList.contains("smolcell-clamped")) return;
  more.hidden = shown2.scrollHeight <= shown2.clientHeight + 1;
}
function boundary(held) {
  const badge = h("span", held.isolated ? "badge safe" : "badge open", held.isolated ? "isolated" : "walls missing");
  const limits = Object.entries(held.limits).map(([name2, value]) => `${name2} ${String(value)}`);
  const node = fold(
    h("span", "", "Code runs in ", readable(held.where), " ", badge),
    held.walls.length > 0 && h("ul", "walls", ...held.walls.map(wall)),
    fact("Limits", limits),
    fact("Imports allowed", held.imports),
    fact("Hosts open", held.hosts.length > 0 ? held.hosts : ["none"])
  );
  node.classList.add("smolcell-boundary");
  return node;
}
function wall({ name: name2, stands, detail }) {
  const mark = h("span", stands ? "stands" : "missing", stands ? "stands" : "missing");
  return h("li", "wall", mark, " ", h("strong", "", readable(name2)), detail === "" ? null : `: ${readable(detail)}`);
}
function fact(label, values) {
  return values.length > 0 && h("p", "quiet", `${label}: ${readable(values.join(", "))}`);
}
function variables(all) {
  const names2 = all.map(({ name: name2, type }) => `${name2} (${type})`).join(", ");
  const rows = all.map(({ name: name2, type, text: text2 }) => h("li", "", h("code", "", readable(name2)), ` ${readable(type)}`, h("pre", "about", readable(text2))));
  return fold(`Goes in as a copy: ${readable(names2)}`, h("ul", "variables", ...rows));
}
var STATES = {
  success: "Done",
  max_steps_error: "Stopped at the step limit",
  refused: "Ended without approval",
  stopped: "Stopped",
  error: "Failed"
};
function footParts(state) {
  const end = state.ended;
  if (end === null) return [];
  const ran = state.steps.filter((step) => step.observation !== null && step.sha256 !== "");
  const calls = toolCounts(state);
  const line2 = joined(count(end.steps, "step"), seconds(end.duration), tokens(end.usage), cost(end.usage));
  return [
    h("div", `receipt ${end.state}`, h("strong", "", STATES[end.state] ?? end.state), h("span", "figures", line2)),
    end.error !== "" && h("p", "fault-title", readable(end.error)),
    calls !== "" && h("p", "quiet", `Tools called: ${readable(calls)}`),
    ran.length > 0 && fold(
      `What ran: ${count(ran.length, "step")}`,
      h("ul", "hashes", ...ran.map((step) => h("li", "", `Step ${step.n}${step.call === 0 ? "" : `, call ${step.call}`}, allowed by ${readable(step.by)}, SHA-256 `, h("code", "", readable(step.sha256)))))
    )
  ];
}
function toolCounts(state) {
  const names2 = /* @__PURE__ */ new Map();
  for (const { name: name2, times, duration, error } of state.steps.flatMap((step) => step.tools)) {
    const before = names2.get(name2) ?? { times: 0, duration: 0, failed: false };
    names2.set(name2, { times: before.times + times, duration: before.duration + duration, failed: before.failed || error !== "" });
  }
  const told = ([name2, { times, duration, failed: failed2 }]) => `${name2} ${times}\xD7, ${seconds(duration)}${failed2 ? ", with errors" : ""}`;
  return [...names2].map(told).join("; ");
}
function answerPart(state) {
  if (state.answer === null) return [];
  const text2 = readable(state.answer.text);
  return [h("h4", "answer-title", "Answer"), answerTable(state, state.answer.text) ?? (tabular(text2) ? table(text2) : h("div", "answer-text", text2))];
}
function answerTable(state, text2) {
  const outputs = state.steps.at(-1)?.observation?.outputs ?? [];
  const grid = outputs.find(({ data }) => data["text/plain"] === text2)?.data[TABLE];
  return grid === void 0 ? null : tableOf(grid);
}
function table(text2) {
  const node = h("pre", "answer-table", text2);
  node.tabIndex = 0;
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", "Answer");
  return node;
}
var LIST_ITEM = /^\s*([-*+\u2022]|\d+[.)])\s/;
var ALIGNED = /(^|[^\s.!?:]) {2,}\S/;
function tabular(text2) {
  const lines2 = text2.split("\n").filter((line2) => trimmed(line2) !== "");
  return lines2.length > 1 && 3 * lines2.filter(aligned).length >= lines2.length;
}
function aligned(line2) {
  const bare = trimmed(line2);
  const row3 = bare.length > 1 && bare.startsWith("|") && bare.endsWith("|");
  return row3 || !LIST_ITEM.test(line2) && ALIGNED.test(line2);
}
function trimmed(line2) {
  let [start, end] = [0, line2.length];
  while (start < end && line2[start] === " ") start++;
  while (end > start && line2[end - 1] === " ") end--;
  return line2.slice(start, end);
}

// src/sight.ts
var ALWAYS = Number.NEGATIVE_INFINITY;
var Lookout = class {
  /** `changed` is called when a click or a key may have begun, or ceased, to count. */
  constructor(root, changed3, signal, now = () => performance.now()) {
    this.root = root;
    this.changed = changed3;
    this.now = now;
    this.sight.pageVisible = document.visibilityState === "hidden" ? null : ALWAYS;
    const top = window.top === window;
    this.sight.windowFocused = !top || document.hasFocus() ? ALWAYS : null;
    if (top) this.watchWindow(signal);
    document.addEventListener("visibilitychange", () => this.set("pageVisible", document.visibilityState !== "hidden"), { signal });
    root.addEventListener("focusin", (event) => this.focused(event), { signal });
    root.addEventListener("focusout", (event) => this.left(event), { signal });
    this.observer = typeof IntersectionObserver === "undefined" ? null : new IntersectionObserver((seen) => this.seen(seen));
    signal.addEventListener("abort", () => this.observer?.disconnect());
  }
  root;
  changed;
  now;
  sight = { drawn: null, pageVisible: null, windowFocused: null, inView: null, cardFocused: null };
  observer;
  watched = null;
  /** Begins anew for these controls; null: there are none. */
  watch(controls) {
    this.observer?.disconnect();
    this.watched = controls;
    this.sight.inView = this.observer === null ? ALWAYS : null;
    this.set("drawn", controls !== null, true);
    if (controls !== null) this.observer?.observe(controls);
  }
  clickCounts() {
    return clickCounts(this.sight, this.now());
  }
  keyCounts() {
    return keyCounts(this.sight, this.now());
  }
  /** A key came that does not count: whoever is typing, into a field that just went, approves nothing by going on. */
  typed() {
    if (this.sight.cardFocused !== null) this.set("cardFocused", true, true);
  }
  watchWindow(signal) {
    window.addEventListener("focus", () => this.set("windowFocused", true), { signal });
    window.addEventListener("blur", () => this.set("windowFocused", false), { signal });
  }
  focused(event) {
    const from = event.relatedTarget;
    const fromInside = from instanceof Node && this.root.contains(from) && !takesText(from);
    if (!fromInside) this.set("cardFocused", true, true);
  }
  left(event) {
    const to = event.relatedTarget;
    if (!(to instanceof Node) || !this.root.contains(to)) this.set("cardFocused", false);
  }
  seen(entries) {
    const last = entries.findLast((entry) => entry.target === this.watched);
    if (last !== void 0) this.set("inView", last.isIntersecting);
  }
  set(fact2, holds, again = false) {
    const before = this.sight[fact2];
    if (!holds) this.sight[fact2] = null;
    else if (before === null || again) this.sight[fact2] = this.now();
    this.changed();
    if (holds) setTimeout(this.changed, SETTLE + 5);
  }
};

// src/ansi.ts
var MOST_LOOKS = 5e3;
var MOST_PARAMETERS = 64;
var MOST_NODE = 4e3;
var PLAIN = { colour: null, back: null, bold: false, dim: false, italic: false, underline: false, inverse: false };
var SGR = /\x1b\[([0-9;:]*)m/g;
var UNFINISHED = /\x1b(\[[0-9;:]*)?$/;
var Printed = class {
  constructor(el) {
    this.el = el;
    el.hidden = true;
  }
  el;
  shown = "";
  done = 0;
  // of `shown`: up to here lines are whole
  look = PLAIN;
  // at that place
  tail = [];
  looks = 0;
  /** Shows `text`; follows the end if the person was looking at the end, and never moves anything else. */
  set(text2) {
    if (text2 === this.shown) return;
    const follow = this.el.scrollTop + this.el.clientHeight >= this.el.scrollHeight - 4;
    if (!text2.startsWith(this.shown.slice(0, this.done))) this.clear();
    for (const node of this.tail) node.parentNode?.removeChild(node);
    const end = text2.lastIndexOf("\n") + 1;
    const lines2 = end > this.done ? text2.slice(this.done, end - 1).split("\n") : [];
    const whole = lines2.flatMap((line2) => [...this.line(line2), { text: "\n", classes: "" }]);
    this.append(this.nodes(whole));
    [this.shown, this.done] = [text2, Math.max(end, this.done)];
    const [look, looks] = [this.look, this.looks];
    this.tail = this.nodes(this.line(text2.slice(this.done).replace(UNFINISHED, "")));
    [this.look, this.looks] = [look, looks];
    this.el.append(...this.tail);
    this.el.hidden = text2 === "";
    if (follow) this.el.scrollTop = this.el.scrollHeight;
  }
  /** Text goes on in the node that is there, for a while: ten thousand small pieces make few nodes. */
  append(nodes) {
    const [last, first] = [this.el.lastChild, nodes[0]];
    if (last instanceof Text && first instanceof Text && last.length < MOST_NODE) {
      last.appendData(first.data);
      nodes.shift();
    }
    this.el.append(...nodes);
  }
  clear() {
    this.el.replaceChildren();
    [this.done, this.look, this.tail, this.looks] = [0, PLAIN, [], 0];
  }
  /** A line that was written over shows its last state. */
  line(line2) {
    let last = [];
    for (const part of line2.split("\r")) {
      const pieces2 = this.pieces(part);
      if (pieces2.length > 0) last = pieces2;
    }
    return last;
  }
  pieces(text2) {
    const found = [];
    let at = 0;
    const push2 = (end) => {
      if (end > at) found.push({ text: readable(text2.slice(at, end)), classes: classes(this.look) });
    };
    for (const match of text2.matchAll(SGR)) {
      push2(match.index);
      at = match.index + match[0].length;
      this.look = changed(this.look, match[1] ?? "");
    }
    push2(text2.length);
    return found;
  }
  nodes(pieces2) {
    const made2 = [];
    let plain = "";
    for (const { text: text2, classes: classes2 } of pieces2) {
      if (classes2 === "" || text2 === "\n" || this.looks >= MOST_LOOKS) {
        plain += text2;
        continue;
      }
      if (plain !== "") made2.push(document.createTextNode(plain));
      plain = "";
      this.looks += 1;
      made2.push(h("span", classes2, text2));
    }
    if (plain !== "") made2.push(document.createTextNode(plain));
    return made2;
  }
};
function classes({ colour, back, bold, dim, italic, underline, inverse }) {
  const [front, behind] = inverse ? [back, colour ?? "text"] : [colour, back];
  const painted = behind !== null ? `on-${behind}` : front !== null ? `ansi-${front}` : "";
  return [painted, bold && "ansi-bold", dim && behind === null && "ansi-dim", italic && "ansi-italic", underline && "ansi-underline"].filter(Boolean).join(" ");
}
var SET = {
  0: PLAIN,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  39: { colour: null },
  49: { back: null }
};
function changed(look, parameters) {
  const codes = parameters.split(/[;:]/, MOST_PARAMETERS).map(Number);
  let now = look;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at];
    if (code === 38 || code === 48) {
      const [colour, taken] = extended(codes.slice(at + 1));
      now = { ...now, [code === 38 ? "colour" : "back"]: colour };
      at += taken;
    } else now = { ...now, ...SET[code], ...basic(code) };
  }
  return now;
}
function basic(code) {
  const [tens, ones] = [Math.floor(code / 10), code % 10];
  if (ones > 7) return {};
  if (tens === 3 || tens === 9) return { colour: ones };
  return tens === 4 || tens === 10 ? { back: ones } : {};
}
function extended(codes) {
  const [kind = 0, n = 0, green = 0, blue = 0] = codes;
  if (kind === 2) return [nearest(n, green, blue), 4];
  if (kind !== 5) return [null, codes.length];
  if (n < 16) return [n % 8, 2];
  if (n >= 232) return [nearest(n, n, n), 2];
  const step = (place) => Math.floor((n - 16) / place) % 6;
  return [nearest(step(36) * 51, step(6) * 51, step(1) * 51), 2];
}
function nearest(red, green, blue) {
  const parts = [red, green, blue];
  const [low, high] = [Math.min(...parts), Math.max(...parts)];
  if (high - low < 48) return high < 96 ? 0 : 7;
  return parts.reduce((sum, part, at) => sum + (part > (low + high) / 2 ? 1 << at : 0), 0);
}

// src/highlight.ts
var KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield match case".split(" ")
);
var BUILTINS = new Set(
  "abs all any bool bytes dict enumerate filter float format frozenset getattr hasattr int isinstance iter len list map max min next object open print range repr reversed round set setattr sorted str sum super tuple type zip eval exec compile final_answer".split(" ")
);
var TOKEN = new RegExp(
  [
    /(?<comment>#[^\r\n]*)/,
    /(?<string>[rRbBuUfFtT]{0,2}(?:"""(?:\\[\s\S]|[^\\])*?(?:"""|$)|'''(?:\\[\s\S]|[^\\])*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\r\n])*"?|'(?:\\[\s\S]|[^'\\\r\n])*'?))/,
    /(?<number>(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?[jJ]?))/,
    /(?<decorator>@[\p{L}_][\p{L}\p{N}_.]*)/u,
    /(?<word>[\p{L}_][\p{L}\p{N}_]*)/u,
    /(?<plain>[\s\S])/
  ].map((part) => part.source).join("|"),
  "gu"
);
var LONGEST = 1e5;
function tokens2(code) {
  if (code.length > LONGEST) return [{ kind: "plain", text: code }];
  const found = [];
  let before = "";
  for (const match of code.matchAll(TOKEN)) {
    const attribute = before === ".";
    before = match[0];
    for (const token of classified(match)) push(found, attribute && token.kind === "builtin" ? { ...token, kind: "name" } : token);
  }
  return found;
}
function classified(match) {
  const text2 = match[0];
  const groups = match.groups ?? {};
  if (groups["string"] !== void 0) return /^[^"']*[fFtT]/.test(text2) ? interpolated(text2) : [{ kind: "string", text: text2 }];
  if (groups["word"] !== void 0) return [{ kind: word(text2), text: text2 }];
  for (const kind of ["comment", "number", "decorator"]) if (groups[kind] !== void 0) return [{ kind, text: text2 }];
  return [{ kind: "plain", text: text2 }];
}
function word(text2) {
  if (KEYWORDS.has(text2)) return "keyword";
  return BUILTINS.has(text2) ? "builtin" : "name";
}
function interpolated(text2) {
  return text2.split(/(\{\{|\}\}|\{[^{}]*\})/).filter((part) => part !== "").map((part) => ({ kind: /^\{[^{]/.test(part) ? "expression" : "string", text: part }));
}
function push(found, token) {
  const last = found.at(-1);
  if (last !== void 0 && last.kind === token.kind) last.text += token.text;
  else found.push(token);
}
var LINE_END = /\n|(?<=\r)(?!\n)/;
function lines(code) {
  const rows = [[]];
  let before = "";
  for (const { kind, text: text2 } of tokens2(code)) {
    if (before.endsWith("\r") && !text2.startsWith("\n")) rows.push([]);
    before = text2;
    text2.split(LINE_END).forEach((part, at) => {
      if (at > 0) rows.push([]);
      if (part !== "") rows.at(-1)?.push({ kind, text: part });
    });
  }
  return rows;
}

// src/code.ts
var RANK = { none: 0, low: 1, high: 2 };
function codeBlock(code, kind, findings = [], errorLine2 = 0) {
  const rows = kind === "code" ? lines(code) : code.split("\n").map((text2) => [{ kind: "plain", text: text2 }]);
  const block = h("div", "code");
  block.setAttribute("role", "group");
  block.setAttribute("aria-label", `${rows.length} ${rows.length === 1 ? "line" : "lines"} of ${kind}`);
  block.style.setProperty("--smolcell-digits", String(String(rows.length).length));
  rows.forEach((row3, at) => block.append(line(row3, at + 1, risk(findings, at + 1), at + 1 === errorLine2)));
  return block;
}
function line(row3, n, level, error) {
  const marks = (level === "none" ? "" : ` ${level}`) + (error ? " error-line" : "");
  const number = h("span", "number");
  number.dataset["n"] = String(n);
  const source = h("code", "source");
  for (const token of row3) source.append(...drawn(token));
  return h("div", `line${marks}`, number, source);
}
function codeLine(text2) {
  return h("code", "source", ...(lines(text2)[0] ?? []).flatMap(drawn));
}
function drawn(token) {
  return pieces(token.text).flatMap((piece) => {
    if (piece.hidden) return [hidden(piece.text)];
    if (token.kind === "plain" || token.kind === "name") return named(piece.text);
    return [h("span", token.kind === "number" ? "number-literal" : token.kind, ...TEXTUAL.has(token.kind) ? [piece.text] : named(piece.text))];
  });
}
var TEXTUAL = /* @__PURE__ */ new Set(["string", "comment"]);
function named(text2) {
  return text2.split(/([^\x00-\x7f]+)/).flatMap((part, at) => {
    if (part === "") return [];
    return [at % 2 === 0 ? document.createTextNode(part) : foreign(part)];
  });
}
function foreign(letters) {
  const node = h("span", "foreign-char", letters);
  node.title = `letters beyond ASCII: ${[...letters].map(escaped).join(" ")}`;
  return node;
}
function hidden(escape) {
  const node = h("span", "hidden-char", escape);
  node.title = escape === TAB ? "a tab" : "a character that cannot be seen";
  return node;
}
function risk(findings, n) {
  return findings.filter((finding) => finding.line === n).reduce((worst, { risk: risk2 }) => RANK[risk2] > RANK[worst] ? risk2 : worst, "none");
}
function findingList(findings) {
  if (findings.length === 0) return null;
  const sorted = [...findings].sort((a, b) => RANK[b.risk] - RANK[a.risk] || a.line - b.line);
  const warnings = sorted.filter((finding) => finding.risk !== "none");
  const facts = sorted.filter((finding) => finding.risk === "none");
  const list = h("ul", "findings", ...warnings.map(warning), facts.length > 0 && h("li", "facts", ...byKind(facts)));
  list.setAttribute("aria-label", "What was found in the code");
  return list;
}
function warning(finding) {
  const mark = h("span", "mark", finding.risk === "high" ? "Warning" : "Note");
  return h("li", `finding ${finding.risk}`, mark, ` ${finding.kind}: `, shown(finding.text), where(finding));
}
var FACTS = { import: "imports", name: "writes", file: "files", network: "hosts", tool: "calls" };
function byKind(facts) {
  const kinds = [...new Set(facts.map((fact2) => fact2.kind))];
  return kinds.map((kind) => {
    const texts2 = [...new Set(facts.filter((fact2) => fact2.kind === kind).map((fact2) => fact2.text))];
    return h("span", "fact", `${FACTS[kind] ?? kind} `, ...texts2.flatMap((text2, at) => at > 0 ? [", ", shown(text2)] : [shown(text2)]));
  });
}
function shown(text2) {
  return h("code", "", ...pieces(text2).map((piece) => piece.hidden ? hidden(piece.text) : piece.text));
}
function where(finding) {
  return finding.line > 0 ? ` (line ${finding.line})` : "";
}

// src/editor.ts
var INDENT = "    ";
function makeEditor(code) {
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
      insert(area, `
${indentation(area)}`);
    }
    leaving = event.key === "Escape" || leaving && event.key === "Shift";
  });
  return area;
}
function textArea(look, text2 = "") {
  const area = h("textarea", look);
  area.value = text2;
  area.spellcheck = false;
  area.setAttribute("autocapitalize", "off");
  area.setAttribute("autocomplete", "off");
  area.dataset["lmSuppressShortcuts"] = "true";
  return area;
}
function lineStart(area) {
  return area.value.lastIndexOf("\n", area.selectionStart - 1) + 1;
}
function indentation(area) {
  const before = area.value.slice(lineStart(area), area.selectionStart);
  const kept2 = /^[ \t]*/.exec(before)?.[0] ?? "";
  return /:\s*(#.*)?$/.test(before) ? kept2 + INDENT : kept2;
}
function indent(area) {
  if (area.selectionStart === area.selectionEnd) insert(area, INDENT);
  else eachLine(area, (line2) => line2 === "" ? line2 : INDENT + line2);
}
function dedent(area) {
  eachLine(area, (line2) => line2.replace(/^( {1,4}|\t)/, ""));
}
function eachLine(area, change) {
  const start = lineStart(area);
  const stop = area.value.indexOf("\n", area.selectionEnd);
  const end = stop < 0 ? area.value.length : stop;
  const text2 = area.value.slice(start, end).split("\n").map(change).join("\n");
  const one = area.selectionStart === area.selectionEnd;
  const caret = Math.max(start, area.selectionStart + text2.length - (end - start));
  area.setSelectionRange(start, end);
  insert(area, text2);
  area.setSelectionRange(one ? caret : start, one ? caret : start + text2.length);
}
function insert(area, text2) {
  if (text2 !== "" && typeof document.execCommand === "function" && document.execCommand("insertText", false, text2)) return;
  area.setRangeText(text2, area.selectionStart, area.selectionEnd, "end");
}

// src/reading.ts
var STEPS = Array.from({ length: 21 }, (_, at) => at / 20);
var WHOLE = 0.94;
var Reading = class {
  /** `changed` is called when more lines have been seen. */
  constructor(lines2, changed3) {
    this.lines = lines2;
    this.changed = changed3;
    this.unseen = new Set(lines2);
    this.observer = typeof IntersectionObserver === "undefined" ? null : new IntersectionObserver((seen) => this.see(seen), { threshold: STEPS });
    for (const line2 of lines2) this.observer?.observe(line2);
  }
  lines;
  changed;
  unseen;
  parts = /* @__PURE__ */ new Map();
  observer;
  /** The lines that have not been seen, from 1. */
  get unread() {
    return this.lines.flatMap((line2, at) => this.unseen.has(line2) ? [at + 1] : []);
  }
  /** Brings the first line that was not seen into view. */
  show() {
    this.lines.find((line2) => this.unseen.has(line2))?.scrollIntoView({ block: "start" });
  }
  close() {
    this.observer?.disconnect();
  }
  see(entries) {
    const before = this.unseen.size;
    for (const { target, isIntersecting, boundingClientRect: all, intersectionRect: seen } of entries) {
      if (!isIntersecting || all.height === 0) continue;
      const part = joined2(this.parts.get(target), [(seen.top - all.top) / all.height, (seen.bottom - all.top) / all.height]);
      this.parts.set(target, part);
      if (part[1] - part[0] < WHOLE) continue;
      this.unseen.delete(target);
      this.observer?.unobserve(target);
    }
    if (this.unseen.size === 0) this.close();
    if (this.unseen.size < before) this.changed();
  }
};
function joined2(before, now) {
  if (before === void 0) return now;
  if (now[0] <= before[1] && before[0] <= now[1]) return [Math.min(before[0], now[0]), Math.max(before[1], now[1])];
  return now[1] - now[0] > before[1] - before[0] ? now : before;
}
var MOST_RANGES = 4;
function unreadText(unread, total) {
  if (unread.length === 0) return "";
  if (unread.length === total) return total === 1 ? "The code has not been whole on your screen." : `None of the ${total} lines has been whole on your screen.`;
  const found = ranges(unread);
  const some = found.slice(0, MOST_RANGES).map(([first, last]) => first === last ? `${first}` : `${first}\u2013${last}`);
  const more = found.length > MOST_RANGES ? " and others" : "";
  const one = unread.length === 1;
  return `${one ? "Line" : "Lines"} ${some.join(", ")}${more} of ${total} ${one ? "has" : "have"} not been on your screen.`;
}
function ranges(numbers) {
  const found = [];
  for (const n of numbers) {
    const last = found.at(-1);
    if (last !== void 0 && last[1] === n - 1) last[1] = n;
    else found.push([n, n]);
  }
  return found;
}

// src/controls.ts
var PATIENCE = 5e3;
var NOT_AS_IT_IS = /* @__PURE__ */ new Set(["hidden", "long-line", "syntax"]);
var made = 0;
var Controls = class {
  constructor(desk, step, pending, lines2, turned) {
    this.desk = desk;
    this.step = step;
    this.pending = pending;
    this.turned = turned;
    this.el = h("div", "controls", this.unread, this.message, this.row);
    this.unread.id = `smolcell-unread-${++made}`;
    this.reading = new Reading(lines2, () => this.tellUnread(lines2.length));
    this.el.setAttribute("role", "group");
    this.el.setAttribute("aria-label", `Decide about step ${step.n}`);
    this.message.setAttribute("role", "status");
    this.begin();
    this.tellUnread(lines2.length);
  }
  desk;
  step;
  pending;
  turned;
  el;
  row = h("div", "row");
  message = h("p", "message");
  unread = h("p", "unread");
  reading;
  sent = "";
  overdue;
  editor = null;
  /** What a key does; the caller has judged that it counts. */
  press(choice) {
    if (this.sent !== "" || this.mode !== "choose") return;
    if (choice === "edit") this.edit();
    else if (choice === "refuse") this.refuse();
    else this.send({ choice });
  }
  get mode() {
    return this.el.dataset["mode"] ?? "";
  }
  /** Buttons can be pressed, or (just drawn, sent, hidden tab) not yet. */
  arm(on) {
    for (const node of this.row.querySelectorAll("button")) node.disabled = !on || this.sent !== "";
  }
  /** Takes the kernel's word on an answer, if it was ours. */
  take(verdict) {
    if (verdict === null || verdict.id !== this.sent || this.sent === "") return;
    clearTimeout(this.overdue);
    if (!verdict.ok) this.again(`Not accepted: ${verdict.why}.`);
  }
  close() {
    clearTimeout(this.overdue);
    this.reading.close();
  }
  /** Says what of the code was never on the screen; a yes to more than this step is offered once all of it was. */
  tellUnread(total) {
    const text2 = unreadText(this.reading.unread, total);
    this.unread.hidden = text2 === "";
    if (text2 === "") this.unread.replaceChildren();
    else if (this.unread.firstChild === null) this.unread.append(text2, " ", button("Show it", "more", () => this.reading.show()));
    else this.unread.firstChild.textContent = text2;
    if (text2 === "" && this.mode === "choose") this.offerKind();
  }
  offerKind() {
    if (this.step.kind !== "code" || this.reading.unread.length > 0) return;
    if (this.step.findings.some(({ kind }) => NOT_AS_IT_IS.has(kind))) return;
    const node = button(kindLabel(this.step.findings), "quiet", () => this.click({ choice: "approve_kind" }));
    node.disabled = this.row.querySelector("button")?.disabled ?? false;
    this.row.append(node);
  }
  begin() {
    if (this.step.kind === "question") this.question();
    else if (this.step.kind === "budget") this.budget();
    else this.choose();
  }
  /** A tool wants words of the person; no key and no other button gives any. */
  question() {
    const area = textArea("comment");
    area.rows = 2;
    area.setAttribute("aria-label", "Your answer. The agent's code reads it.");
    area.placeholder = "Your answer (the agent's code reads it)";
    this.editor = area;
    this.show(
      "question",
      area,
      button("Send answer", "primary", () => this.click({ choice: "edit", text: area.value })),
      button("Do not answer", "", () => this.click({ choice: "refuse" })),
      button("Stop", "", () => this.click({ choice: "stop" }))
    );
  }
  /** Going on is a button; no key says it, and nothing said before does. */
  budget() {
    this.show(
      "budget",
      button("Go on", "primary", () => this.click({ choice: "approve" })),
      button("Stop", "", () => this.click({ choice: "stop" }))
    );
  }
  choose() {
    this.editor = null;
    this.show(
      "choose",
      button("Approve", "primary", () => this.click({ choice: "approve" }), "A"),
      button("Edit", "", () => this.guard(() => this.edit()), "E"),
      button("Refuse", "", () => this.guard(() => this.refuse()), "R"),
      button("Stop", "", () => this.click({ choice: "stop" }), "S"),
      button("Approve the rest of this run", "quiet", () => this.click({ choice: "approve_run" }))
    );
    this.offerKind();
  }
  edit() {
    const area = makeEditor(this.step.code);
    this.editor = area;
    this.show(
      "edit",
      area,
      h("span", "hint", "Tab indents; Escape, then Tab, leaves the editor."),
      button(this.step.kind === "plan" ? "Use edited plan" : "Run edited", "primary", () => this.click({ choice: "edit", text: area.value })),
      button("Cancel", "", () => this.back())
    );
    this.enter(area);
    area.setSelectionRange(0, 0);
  }
  refuse() {
    const comment = textArea("comment");
    comment.rows = 2;
    comment.setAttribute("aria-label", "Why, or what to do instead. The model reads it.");
    comment.placeholder = "Why, or what to do instead (the model reads it)";
    this.show(
      "refuse",
      comment,
      button("Send refusal", "danger", () => this.click({ choice: "refuse", comment: comment.value })),
      button("Cancel", "", () => this.back())
    );
    this.enter(comment);
  }
  /** The person asked for the field: it gets the focus, and is shown with its buttons. */
  enter(area) {
    area.focus({ preventScroll: true });
    this.el.scrollIntoView?.({ block: "nearest" });
  }
  back() {
    this.choose();
    this.row.querySelector("button")?.focus({ preventScroll: true });
  }
  show(mode, ...children) {
    this.el.dataset["mode"] = mode;
    this.row.replaceChildren(...children.filter((child) => child instanceof Node));
    this.say("");
    for (const node of this.row.querySelectorAll(".smolcell-primary")) node.setAttribute("aria-describedby", this.unread.id);
    this.turned(mode);
  }
  click(reply) {
    this.guard(() => this.send(reply));
  }
  guard(act) {
    if (this.desk.clickCounts()) act();
    else this.say("This came just as the window came to the front, so it did not count. Click again.");
  }
  send(reply) {
    if (this.sent !== "") return;
    this.sent = this.desk.answer(this.pending, reply);
    this.arm(false);
    if (this.editor !== null) this.editor.readOnly = true;
    this.say("Sent\u2026");
    this.overdue = setTimeout(() => this.again("The kernel has not confirmed this yet. You can try again."), PATIENCE);
  }
  again(why) {
    this.sent = "";
    this.arm(true);
    if (this.editor !== null) this.editor.readOnly = false;
    this.say(why);
  }
  say(text2) {
    this.message.textContent = text2;
    this.message.hidden = text2 === "";
  }
};
function kindLabel(findings) {
  const kinds = [...new Set(findings.filter(({ risk: risk2 }) => risk2 !== "none").map(({ kind }) => kind))].sort();
  const which = kinds.length === 0 ? "code without warnings" : `code with no other warnings than ${kinds.join(", ")}`;
  return `Approve ${which}, in this session`;
}

// src/diff.ts
var MOST_CELLS = 1e6;
var AROUND = 2;
function difference(before, after) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const kept2 = (lines2) => lines2.map((text2) => ({ sign: " ", text: text2 }));
  const middle = compared(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [...kept2(old.slice(0, start)), ...middle, ...kept2(old.slice(old.length - end))];
}
function compared(old, now) {
  const width = now.length + 1;
  if (old.length * now.length > MOST_CELLS) return [...old.map((text2) => ({ sign: "-", text: text2 })), ...now.map((text2) => ({ sign: "+", text: text2 }))];
  const common = new Uint16Array((old.length + 1) * width);
  const at = (i, j) => common[i * width + j];
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const found = [];
  for (let i = 0, j = 0; i < old.length || j < now.length; ) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      found.push({ sign: " ", text: old[i++] });
      j++;
    } else if (j >= now.length || i < old.length && at(i + 1, j) >= at(i, j + 1)) found.push({ sign: "-", text: old[i++] });
    else found.push({ sign: "+", text: now[j++] });
  }
  return found;
}
function differenceBlock(changes) {
  const near = changes.map((_, at) => changes.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== " "));
  const block = h("div", "code diff");
  block.setAttribute("role", "group");
  block.setAttribute("aria-label", "What you changed");
  changes.forEach((change, at) => {
    if (near[at] === true) block.append(row2(change));
    else if (near[at - 1] !== false) block.append(h("div", "line left-out", h("span", "sign", "\u2026")));
  });
  return block;
}
var NAMES = { " ": "", "-": "taken out: ", "+": "put in: " };
var LOOKS = { " ": "line", "-": "line taken-out", "+": "line put-in" };
function row2({ sign, text: text2 }) {
  const mark = h("span", "sign", sign === "-" ? "\u2212" : sign);
  mark.setAttribute("aria-hidden", "true");
  return h("div", LOOKS[sign], mark, h("span", "spoken", NAMES[sign]), codeLine(text2));
}

// src/image.ts
var IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
var MOST_IMAGE = 7e6;
var MOST_PIXELS = 4e7;
var HEADER = 4e5;
function imageFault(mime, data) {
  if (data.length > MOST_IMAGE) return "larger than 5 MB";
  if (data === "" || !/^[A-Za-z0-9+/=\s]+$/.test(data)) return "not base64";
  const size = imageSize(mime, data);
  if (size === null) return `not what it claims to be, ${mime}`;
  return size[0] * size[1] > MOST_PIXELS ? `${size[0]} by ${size[1]} pixels` : "";
}
function imageSize(mime, data) {
  const bytes2 = decoded(data);
  const size = bytes2 === null ? null : READERS[mime]?.(bytes2) ?? null;
  return size !== null && size[0] > 0 && size[1] > 0 ? size : null;
}
function decoded(data) {
  const start = data.slice(0, HEADER).replace(/\s/g, "");
  try {
    const text2 = atob(start.slice(0, start.length - start.length % 4));
    return new DataView(Uint8Array.from(text2, (char) => char.charCodeAt(0)).buffer);
  } catch {
    return null;
  }
}
var READERS = { "image/png": png, "image/gif": gif, "image/jpeg": jpeg, "image/webp": webp };
function says(bytes2, at, text2) {
  return bytes2.byteLength >= at + text2.length && [...text2].every((char, n) => bytes2.getUint8(at + n) === char.charCodeAt(0));
}
function png(bytes2) {
  if (bytes2.byteLength < 24 || !says(bytes2, 0, "\x89PNG\r\n\n") || !says(bytes2, 12, "IHDR")) return null;
  return [bytes2.getUint32(16), bytes2.getUint32(20)];
}
function gif(bytes2) {
  if (bytes2.byteLength < 10 || !(says(bytes2, 0, "GIF87a") || says(bytes2, 0, "GIF89a"))) return null;
  return [bytes2.getUint16(6, true), bytes2.getUint16(8, true)];
}
function jpeg(bytes2) {
  if (!says(bytes2, 0, "\xFF\xD8")) return null;
  let at = 2;
  while (at + 9 <= bytes2.byteLength && bytes2.getUint8(at) === 255) {
    const marker = bytes2.getUint8(at + 1);
    if (marker === 255) at += 1;
    else if (marker >= 192 && marker <= 207 && ![196, 200, 204].includes(marker)) return [bytes2.getUint16(at + 7), bytes2.getUint16(at + 5)];
    else at += 2 + Math.max(bytes2.getUint16(at + 2), 2);
  }
  return null;
}
function webp(bytes2) {
  if (bytes2.byteLength < 30 || !says(bytes2, 0, "RIFF") || !says(bytes2, 8, "WEBP")) return null;
  if (says(bytes2, 12, "VP8 ") && says(bytes2, 23, "\x9D*")) return [bytes2.getUint16(26, true) & 16383, bytes2.getUint16(28, true) & 16383];
  if (says(bytes2, 12, "VP8L") && bytes2.getUint8(20) === 47) {
    const bits = bytes2.getUint32(21, true);
    return [(bits & 16383) + 1, (bits >>> 14 & 16383) + 1];
  }
  if (says(bytes2, 12, "VP8X")) return [uint24(bytes2, 24) + 1, uint24(bytes2, 27) + 1];
  return null;
}
function uint24(bytes2, at) {
  return bytes2.getUint16(at, true) + bytes2.getUint8(at + 2) * 65536;
}

// src/frame.ts
var POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
var LOOK = "html{background:#fff;color:#1f2328;font:13px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}table{border-collapse:collapse}td,th{padding:2px 8px;text-align:right}img{max-width:100%}";
var MOST_TEXT2 = 1e6;
var MOST_NODES = 2e4;
var MOST_DEPTH = 100;
var ELEMENTS = new Set(
  "A ABBR ARTICLE B BLOCKQUOTE BR CAPTION CODE COL COLGROUP DD DEL DETAILS DIV DL DT EM FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HR I IMG INS KBD LI MAIN MARK OL P PRE Q S SAMP SECTION SMALL SPAN STRONG STYLE SUB SUMMARY SUP TABLE TBODY TD TFOOT TH THEAD TIME TR U UL VAR".split(" ")
);
var DROPPED = new Set("SCRIPT TEMPLATE NOSCRIPT IFRAME OBJECT EMBED APPLET FRAME FRAMESET PORTAL TITLE TEXTAREA SELECT SVG MATH".split(" "));
var ATTRIBUTES = new Set("align alt class colspan dir height id lang open rowspan scope span start style title valign width".split(" "));
var OWN_IMAGE = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;
function framed(html, svg, open) {
  const body = html !== void 0 ? htmlBody(html) : svg !== void 0 ? svgBody(svg) : "";
  if (body === "") return null;
  const kind = html !== void 0 ? "HTML" : "SVG";
  const node = fold(`As ${kind}, without scripts and network`);
  const draw = () => {
    if (node.open && node.querySelector("iframe") === null) node.append(frame(body, kind));
  };
  node.addEventListener("toggle", draw);
  node.open = open;
  draw();
  return node;
}
function frame(body, kind) {
  const node = h("iframe", "frame");
  node.setAttribute("sandbox", "");
  node.setAttribute("referrerpolicy", "no-referrer");
  node.setAttribute("allow", "");
  node.title = `${kind} that the code made`;
  node.style.height = `${height(body)}em`;
  node.srcdoc = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><style>${LOOK}</style><body>${body}`;
  return node;
}
function height(body) {
  const lines2 = body.match(/<(?:tr|p|h\d|li|br|pre|div|dt|dd)\b|\n/g)?.length ?? 0;
  return Math.min(30, 4 + 1.8 * lines2 + (body.includes("<img") ? 20 : 0));
}
function htmlBody(html) {
  if (html.length > MOST_TEXT2) return "";
  const given = new DOMParser().parseFromString(html, "text/html");
  const made2 = document.implementation.createHTMLDocument("");
  const left = { nodes: MOST_NODES };
  for (const part of [given.head, given.body]) copyInto(made2.body, part, left, 0);
  return made2.body.textContent?.trim() === "" && made2.body.querySelector("img, hr") === null ? "" : made2.body.innerHTML;
}
function copyInto(to, from, left, depth) {
  if (depth > MOST_DEPTH) return;
  for (const child of from.childNodes) {
    if (left.nodes-- <= 0) return;
    if (child.nodeType === Node.TEXT_NODE) to.append(child.nodeValue ?? "");
    if (!(child instanceof Element)) continue;
    const tag = child.tagName.toUpperCase();
    if (DROPPED.has(tag)) continue;
    const copy = ELEMENTS.has(tag) ? copied(to.ownerDocument, child, tag) : to;
    if (copy === null) continue;
    if (copy !== to) to.append(copy);
    copyInto(copy, child, left, depth + 1);
  }
}
function copied(into, element, tag) {
  const copy = into.createElement(tag);
  for (const { name: name2, value } of element.attributes) {
    if (ATTRIBUTES.has(name2) && !(name2 === "style" && /position|url\s*\(|\\/i.test(value))) copy.setAttribute(name2, value);
  }
  if (tag !== "IMG") return copy;
  const own = OWN_IMAGE.exec(element.getAttribute("src") ?? "");
  if (own === null || imageFault(own[1], own[2]) !== "") return null;
  copy.setAttribute("src", own[0]);
  return copy;
}
function svgBody(svg) {
  if (svg.length > MOST_TEXT2 || /<!ENTITY|<!DOCTYPE[^>]*\[|<(?:\w+:)?(?:fe)?image\b/i.test(svg) || multiplies(svg)) return "";
  const bytes2 = new TextEncoder().encode(svg);
  const text2 = Array.from(bytes2, (byte) => String.fromCharCode(byte)).join("");
  return `<img alt="" src="data:image/svg+xml;base64,${btoa(text2)}">`;
}
function multiplies(svg) {
  const given = new DOMParser().parseFromString(svg, "image/svg+xml");
  if (given.querySelector("parsererror") !== null) return true;
  const all = [...given.querySelectorAll("*")];
  if (all.some((node) => node.localName === "style" && (node.textContent ?? "").includes("url("))) return true;
  const uses = all.filter((node) => node.localName === "use");
  const used = new Set(uses.flatMap((node) => [...node.attributes].filter(({ localName }) => localName === "href").map(({ value }) => value.replace(/^#/, ""))));
  if (uses.some((node) => within(node, ({ id }) => used.has(id)))) return true;
  const referring = all.filter((node) => [...node.attributes].some(({ value }) => value.includes("url(")));
  return referring.some((node) => within(node, ({ localName }) => REPEATED.has(localName)));
}
var REPEATED = /* @__PURE__ */ new Set(["pattern", "marker", "mask", "clipPath"]);
function within(node, is) {
  for (let up = node; up !== null; up = up.parentElement) if (is(up)) return true;
  return false;
}

// src/output.ts
function observation(seen, ran) {
  const answered2 = seen.is_final_answer && seen.error === null;
  const result = answered2 || repeated(seen) ? "" : seen.result;
  const outputs = answered2 ? seen.outputs.filter((bundle) => imageOf(bundle) !== void 0 || !says2(bundle, seen.result)) : seen.outputs;
  return [
    ...notes(seen).map((note) => h("p", "note", note)),
    ...outputs.flatMap((bundle) => output(bundle)),
    result !== "" && labelled("Result", text("result", readable(result))),
    seen.error !== null && fault(seen.error, ran),
    seen.changed.length > 0 && h("p", "changed", "Wrote ", ...names(seen.changed)),
    seen.files.length > 0 && files(seen.files)
  ];
}
function files(written) {
  const note = h("span", "quiet", " \xB7 keep with: %agent files keep NAME");
  return h("p", "files", `Files written: ${filesText(written)}`, note);
}
function printedBox() {
  return text("printed", "");
}
function repeated(seen) {
  return seen.outputs.some((bundle) => says2(bundle, seen.result));
}
function says2(bundle, result) {
  return bundle.data["text/plain"] === result;
}
function imageOf(bundle) {
  return IMAGES.find((mime) => bundle.data[mime] !== void 0 && imageFault(mime, bundle.data[mime]) === "");
}
function notes(seen) {
  const found = [];
  if (seen.dropped > 0) found.push(`${count(seen.dropped, "character")} of output left out.`);
  if (seen.state_lost) found.push("The sandbox was restarted: variables of earlier steps are gone.");
  return found;
}
function output(bundle) {
  const mime = imageOf(bundle);
  const { [TABLE]: grid, "text/plain": plain, "text/html": html, "image/svg+xml": svg } = bundle.data;
  if (mime !== void 0) return [image(mime, bundle.data[mime], plain ?? "")];
  const table2 = grid === void 0 ? null : tableOf(grid);
  if (table2 !== null) return [table2];
  const says3 = plain !== void 0 && !/^<.*>$/s.test(plain.trim());
  const frame2 = framed(html, svg, !says3);
  const parts = [...refusals(bundle), plain !== void 0 && (says3 || frame2 === null) && text("result", readable(plain)), frame2];
  if (parts.some((part) => part)) return parts;
  const kinds = [...Object.keys(bundle.data).filter((kind) => kind !== REFUSED), ...Object.keys(refusedOf(bundle))];
  return [h("p", "note", `Not shown: ${readable(kinds.join(", ")) || "an empty output"}`)];
}
var REFUSED = "application/vnd.smolcell.refused+json";
var TOLD = [...IMAGES, "image/svg+xml", "text/html", TABLE];
function refusals(bundle) {
  const here = IMAGES.map((kind) => [kind, bundle.data[kind] === void 0 ? "" : imageFault(kind, bundle.data[kind])]);
  const all = [...here, ...Object.entries(refusedOf(bundle)).filter(([kind]) => TOLD.includes(kind))];
  return all.filter(([, why]) => why !== "").map(([kind, why]) => h("p", "note", `${WHAT[kind] ?? "An image"} is not shown: ${readable(String(why))}.`));
}
var WHAT = { "text/html": "HTML", "image/svg+xml": "An SVG image", [TABLE]: "A table" };
function refusedOf(bundle) {
  try {
    const told = JSON.parse(bundle.data[REFUSED] ?? "{}");
    return typeof told === "object" && told !== null ? { ...told } : {};
  } catch {
    return {};
  }
}
function image(mime, data, description) {
  const node = h("img", "image");
  node.alt = readable(description).slice(0, 200) || "An image the code made";
  node.src = `data:${mime};base64,${data.replace(/\s/g, "")}`;
  return node;
}
function fault(error, ran) {
  const line2 = error.line > 0 ? ran.split("\n")[error.line - 1] : void 0;
  const trace = new Printed(text("traceback", ""));
  trace.set(error.traceback);
  return h(
    "div",
    "fault",
    h("p", "fault-title", h("strong", "", readable(error.type) || "Error"), error.message === "" ? null : `: ${readable(error.message)}`),
    h("p", "fault-kind", WHOSE[error.kind] ?? ""),
    line2 !== void 0 && h("div", "fault-line", h("span", "", `line ${error.line}`), h("code", "", readable(line2).trim())),
    error.traceback !== "" && trace.el
  );
}
var WHOSE = {
  forbidden: "The guard refused this; it is not allowed in the sandbox.",
  limit: "A limit ended this step.",
  sandbox: "The sandbox ended.",
  stopped: "Stopped by a person."
};
function labelled(label, node) {
  node.setAttribute("aria-label", label);
  return node;
}
function text(look, content) {
  const node = h("pre", look, content);
  node.tabIndex = 0;
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", look === "printed" ? "Printed output" : "Output");
  return node;
}
function names(all) {
  return all.flatMap((name2, at) => [at > 0 ? ", " : null, h("code", "", readable(name2))]);
}

// src/step.ts
var STATUS = {
  thinking: "thinking",
  pending: "waiting",
  allowed: "running",
  running: "running",
  done: "done",
  refused: "refused",
  unparsed: "no code",
  cut: "cut short"
};
var WHO = {
  person: "you",
  policy: "the policy",
  auto: "auto-approval",
  remembered: "your earlier approval",
  caller: "the caller",
  deny: "the deny setting",
  nobody: "nobody: there was no one to ask"
};
var StepView = class {
  constructor(desk, runs) {
    this.desk = desk;
    this.runs = runs;
    this.el = h(
      "section",
      "step",
      h("div", "step-head", h("h4", "step-title", this.toggle), this.facts),
      this.reasoningFold,
      this.thought.el,
      this.draft.el,
      this.code.el,
      this.decision.el,
      this.place,
      this.tools.el,
      this.runs.el,
      this.printed.el,
      this.seen.el
    );
    this.collapse(false);
  }
  desk;
  runs;
  el;
  controls = null;
  drawn = null;
  toggle = button("", "step-toggle", () => this.collapse(this.el.dataset["collapsed"] !== "true"));
  facts = h("div", "step-facts");
  reasoningText = h("div", "reasoning");
  reasoning = new Growing(this.reasoningText);
  reasoningFold = fold("Reasoning", this.reasoningText);
  thought = new Growing(h("div", "thought"));
  draft = new Growing(h("pre", "draft"));
  code = new Slot(h("div", "part"));
  decision = new Slot(h("div", "decision"));
  place = h("div", "place");
  printed = new Printed(printedBox());
  tools = new Slot(h("div", "part"));
  seen = new Slot(h("div", "part"));
  head = new Slot(this.facts);
  /** Draws the step; `own` is what the kernel waits for, where that is this step and a page may answer, `pending` wherever it is. */
  update(step, own, pending) {
    if (step !== this.drawn) this.drawParts(step);
    this.drawn = step;
    this.drawControls(step, own !== null && own.fingerprint === step.fingerprint ? own : null);
    this.runs.update(step.runs, pending);
    if (this.waiting() !== void 0 && this.el.dataset["collapsed"] === "true") this.collapse(false);
  }
  /** This step, or the one of a run below it, where that waits for an answer. */
  waiting() {
    return this.controls === null ? this.runs.waiting() : this;
  }
  get step() {
    return this.drawn;
  }
  /** Shows the step's first line only, or all of it again. One that waits for the person, itself or below it, is always open. */
  collapse(on) {
    this.el.dataset["collapsed"] = String(on && this.waiting() === void 0);
    this.toggle.setAttribute("aria-expanded", String(this.el.dataset["collapsed"] === "false"));
  }
  take(verdict) {
    this.controls?.take(verdict);
  }
  drawParts(step) {
    this.el.setAttribute("aria-label", name(step));
    this.el.dataset["call"] = String(step.call);
    this.el.dataset["status"] = failed(step) ? "failed" : step.status;
    this.el.dataset["step"] = String(step.n);
    if (this.toggle.textContent !== title(step)) this.toggle.textContent = title(step);
    this.head.draw([step.status, step.usage, step.observation, step.kind], () => headLine(step));
    this.reasoning.set(readable(step.reasoning));
    this.reasoningFold.hidden = step.reasoning === "";
    const [thought, draft] = step.reply === "" ? [step.thought, ""] : split(step.reply);
    this.thought.set(readable(thought.trim()));
    this.draft.set(readable(draft));
    this.code.draw([step.code, step.kind, step.findings, step.edited, step.observation === null, errorLine(step)], () => codePart(step));
    this.decision.draw([step.status, step.by, step.scope, step.comment, step.reason], () => decisionPart(step));
    this.tools.draw([step.tools], () => toolsPart(step.tools));
    this.printed.set(step.observation === null ? step.output : step.observation.stdout);
    this.seen.draw(
      [step.observation],
      () => step.observation === null ? [] : observation(step.observation, step.edited ?? step.code)
    );
  }
  drawControls(step, pending) {
    const wanted = pending !== null && step.status === "pending" ? pending : null;
    if (wanted?.fingerprint === this.controls?.pending.fingerprint) return;
    this.controls?.close();
    this.controls = null;
    this.showCode(true);
    if (wanted !== null) {
      const lines2 = [...this.code.el.querySelectorAll(".smolcell-line")];
      this.controls = new Controls(this.desk, step, wanted, lines2, (mode) => this.showCode(mode !== "edit"));
    }
    this.collapse(false);
    this.place.replaceChildren(...this.controls === null ? [] : [this.controls.el]);
  }
  /** While the person edits the code, the editor stands for it. */
  showCode(on) {
    const block = this.code.el.querySelector(":scope > .smolcell-code");
    if (block !== null) block.hidden = !on;
  }
};
function failed(step) {
  return step.observation?.error != null;
}
function errorLine(step) {
  return step.observation?.error?.line ?? 0;
}
function headLine(step) {
  const status = h("span", `status ${failed(step) ? "failed" : step.status}`, failed(step) ? "error" : STATUS[step.status]);
  const ran = step.observation === null ? "" : `ran ${seconds(step.observation.duration)}`;
  const model = step.duration > 0 ? `model ${seconds(step.duration)}` : "";
  const figures = joined(model, ran, step.usage === null ? "" : tokens(step.usage), step.usage === null ? "" : cost(step.usage));
  return [status, h("span", "figures", figures)];
}
function name({ n, call }) {
  return call === 0 ? `Step ${n}` : `Step ${n}, call ${call}`;
}
var KINDS = {
  code: "",
  call: ": a tool call",
  plan: ": a plan",
  budget: ": the budget is spent",
  question: ": a question to you"
};
function title(step) {
  return name(step) + (step.kind === "call" && step.call === 0 ? "" : KINDS[step.kind]);
}
function codePart(step) {
  if (step.code === "") return [];
  const findings = step.observation === null ? step.findings : step.findings.filter(({ kind }) => kind !== "name");
  if (step.edited === null) return [codeBlock(step.code, step.kind, findings, errorLine(step)), findingList(findings)];
  return [
    h("p", "note", "Edited by you. This ran:"),
    codeBlock(step.edited, step.kind, [], errorLine(step)),
    changed2(step.code, step.edited),
    fold("What the model proposed", codeBlock(step.code, step.kind, findings), findingList(findings))
  ];
}
function changed2(before, after) {
  const changes = difference(before, after);
  const node = fold("What you changed", differenceBlock(changes));
  node.open = changes.filter(({ sign }) => sign !== " ").length <= MOST_OPEN;
  return node;
}
var MOST_OPEN = 20;
function toolsPart(tools) {
  if (tools.length === 0) return [];
  const times = tools.reduce((sum, { times: n }) => sum + n, 0);
  const node = fold(`Tools called: ${times}`, h("ul", "calls", ...tools.map(toolLine)));
  node.open = tools.length <= FEW || tools.some(({ error }) => error !== "");
  return [node];
}
var FEW = 5;
function toolLine({ text: text2, result, error, duration, times }) {
  const said = error === "" ? h("span", "quiet", readable(result)) : h("span", "fault-title", readable(error));
  const figures = joined(times > 1 ? `${times} times, such as this` : "", seconds(duration));
  return h("li", "call", h("code", "", readable(text2)), " ", said, h("span", "figures", figures));
}
function decisionPart(step) {
  const who = WHO[step.by] ?? readable(step.by);
  if (step.status === "unparsed") return [h("p", "note", "The reply held no program. The model was told: ", quoted(step.reason))];
  if (step.status === "refused") return [h("p", "note", `Refused by ${who}`, step.reason === "" ? "." : ": ", quoted(step.reason))];
  if (step.by === "") return [];
  const reach = step.scope === "run" ? ", with the rest of this run" : step.scope === "kind" ? ", with others of its kind in this session" : "";
  return [h("p", "quiet", `Approved by ${who}${reach}`, step.comment === "" ? "." : ": ", quoted(step.comment))];
}
function quoted(text2) {
  return text2 === "" ? null : h("q", "quote", readable(text2));
}
function split(reply) {
  const at = /<code>|```[a-z]*\n?/.exec(reply);
  const thought = reply.slice(0, at?.index).replace(/^\s*Thought:\s*/, "");
  if (at === null) return [thought, ""];
  return [thought, reply.slice(at.index + at[0].length).replace(/\s*(<\/code>|```)\s*$/, "").trimStart()];
}

// src/runs.ts
var StepList = class {
  constructor(desk) {
    this.desk = desk;
  }
  desk;
  el = h("div", "steps");
  views = [];
  /** Draws the run's steps; `pending` is what the kernel waits for, in this run or in one that it called. */
  update(run, pending) {
    run.steps.forEach((step, at) => {
      const view = this.views[at] ?? this.add();
      const own = pending !== null && pending.run === run.run && pending.step === step.n ? pending : null;
      view.update(step, own, pending);
    });
    for (const extra of this.views.splice(run.steps.length)) extra.el.remove();
  }
  /** The step that waits for an answer, however deep. */
  waiting() {
    for (const view of [...this.views].reverse()) {
      const found = view.waiting();
      if (found !== void 0) return found;
    }
    return void 0;
  }
  add() {
    const view = new StepView(this.desk, new RunList(this.desk));
    this.views.push(view);
    this.el.append(view.el);
    return view;
  }
};
var RunList = class {
  constructor(desk) {
    this.desk = desk;
    this.el.hidden = true;
  }
  desk;
  el = h("div", "runs");
  views = [];
  update(runs, pending) {
    if (this.el.hidden !== (runs.length === 0)) this.el.hidden = runs.length === 0;
    runs.forEach((run, at) => (this.views[at] ?? this.add()).update(run, pending));
    for (const extra of this.views.splice(runs.length)) extra.el.remove();
  }
  waiting() {
    return this.views.map((view) => view.steps.waiting()).findLast((found) => found !== void 0);
  }
  add() {
    const view = new RunView(this.desk);
    this.views.push(view);
    this.el.append(view.el);
    return view;
  }
};
var RunView = class {
  el;
  steps;
  summary = new Slot(h("summary", "summary"));
  task = new Slot(h("div", "task-part"));
  answered = new Slot(h("div", "answer"));
  foot = new Slot(h("div", "foot"));
  constructor(desk) {
    this.steps = new StepList(desk);
    this.el = h("details", "fold run", this.summary.el, this.task.el, this.steps.el, this.answered.el, this.foot.el);
    this.el.open = true;
  }
  update(run, pending) {
    if (this.el.dataset["run"] !== run.run) this.name(run);
    if (pending !== null && (pending.run === run.run || pending.run.startsWith(`${run.run}-`)) && !this.el.open) this.el.open = true;
    this.summary.draw([run.agent, run.model, run.boundary, run.phase, run.ended], () => [summary(run)]);
    this.task.draw([run.task], () => [h("div", "task", readable(run.task))]);
    this.steps.update(run, pending);
    this.answered.draw([run.answer], () => answerPart(run));
    this.foot.draw([run.ended], () => foot(run));
  }
  name(run) {
    this.el.dataset["run"] = run.run;
    this.el.setAttribute("aria-label", `Run of the agent ${readable(run.agent)}`);
  }
};
function summary(run) {
  const how = run.ended === null ? run.phase : STATES[run.ended.state] ?? run.ended.state;
  const where2 = run.boundary === null ? run.sandbox : run.boundary.where;
  return h("span", "", h("strong", "", `Agent ${readable(run.agent)}`), ` \xB7 ${joined(how.toLowerCase(), readable(run.model), readable(where2))}`);
}
function foot({ ended: ended2 }) {
  if (ended2 === null) return [];
  const figures = joined(count(ended2.steps, "step"), seconds(ended2.duration), tokens(ended2.usage), cost(ended2.usage));
  return [h("p", "quiet", figures), ended2.error !== "" && h("p", "fault-title", readable(ended2.error))];
}

// src/draw.ts
var Card = class {
  constructor(feed, post, signal) {
    this.feed = feed;
    this.post = post;
    this.el.tabIndex = 0;
    this.el.setAttribute("role", "region");
    this.el.setAttribute("aria-label", "Agent run");
    const head = h("div", "head", h("div", "head-text", this.task.el, this.head.el));
    const now = h("div", "now", this.progress, this.stopButton);
    this.list = new StepList(this);
    this.el.append(this.rule.el, head, this.list.el, this.notices.el, now, this.answered.el, this.foot.el, this.announcer.el);
    this.lookout = new Lookout(this.el, () => this.arm(), signal);
    this.borrowed = new Borrowed(this.el, signal);
    this.listen(signal);
    this.update();
  }
  feed;
  post;
  el = h("div", "card");
  task = new Slot(h("div", "task-part"));
  head = new Slot(h("div", "head-parts"));
  stopButton = button("Stop run", "stop", () => this.stop());
  // The saved transcript says the same as this card; while the card is on the page, it is not shown twice.
  rule = new Slot(document.createElement("style"));
  list;
  notices = new Slot(h("div", "notices"));
  progress = h("div", "progress");
  announcer = new Announcer();
  answered = new Slot(h("div", "answer"));
  foot = new Slot(h("div", "foot"));
  lookout;
  borrowed;
  phase = "";
  since = performance.now();
  stopping = false;
  over = false;
  answer(pending, reply) {
    this.borrowed.keep();
    return this.post.answer(pending, reply);
  }
  clickCounts() {
    return this.lookout.clickCounts();
  }
  /** Draws what has changed in the feed. */
  update() {
    const { state } = this.feed;
    const controls = this.waiting()?.controls ?? null;
    const over = state.ended !== null && !this.over;
    const typing = takesText(this.el.ownerDocument.activeElement);
    if (over) this.borrowed.keep();
    const focusInside = controls?.el.contains(this.el.ownerDocument.activeElement) ?? false;
    this.drawEnds(state);
    this.list.update(state, this.feed.link === "live" ? this.feed.pending : null);
    const now = this.waiting()?.controls ?? null;
    if (now !== controls) this.turned(focusInside);
    now?.take(this.feed.verdict);
    this.announcer.tell(state, this.waiting()?.step ?? void 0, this.feed.pending?.run);
    if (state.phase !== this.phase) [this.phase, this.since] = [state.phase, performance.now()];
    this.tick();
    this.arm();
    this.over = state.ended !== null;
    if (over && !typing) this.borrowed.giveBack();
  }
  waiting() {
    return this.list.waiting();
  }
  drawEnds(state) {
    this.el.dataset["link"] = this.feed.link;
    this.el.dataset["run"] = state.run;
    this.rule.draw([state.run], () => [`.smolcell-run-${state.run.replace(/[^A-Za-z0-9-]/g, "")} { display: none; }`]);
    this.task.draw([state.task], () => state.task === "" ? [] : taskParts(state));
    this.head.draw([state.run, state.boundary, state.variables, state.model], () => state.run === "" ? [] : headParts(state));
    this.stopButton.hidden = state.ended !== null || this.feed.link !== "live";
    this.stopButton.disabled = this.stopping;
    this.notices.draw([state.notices.length], () => state.notices.map((notice) => h("p", "note", readable(notice.text))));
    this.answered.draw([state.answer], () => answerPart(state));
    this.foot.draw([state.ended], () => footParts(state));
  }
  /** Another proposal waits, or none does any more. */
  turned(focusWasInside) {
    const controls = this.waiting()?.controls ?? null;
    this.lookout.watch(controls?.el ?? null);
    const free = controls !== null && this.el.ownerDocument.activeElement === this.el.ownerDocument.body;
    if (focusWasInside || free) this.el.focus({ preventScroll: true });
  }
  arm() {
    this.waiting()?.controls?.arm(this.lookout.clickCounts() || this.onlyUnfocused());
    this.el.dataset["armed"] = String(this.waiting() !== void 0 && this.lookout.keyCounts());
  }
  /** A window in the background shows its buttons as they are; the click that brings it to the front is judged then. */
  onlyUnfocused() {
    const { drawn: drawn2, pageVisible } = this.lookout.sight;
    return drawn2 !== null && pageVisible !== null && performance.now() - Math.max(drawn2, pageVisible) >= SETTLE;
  }
  stop() {
    this.borrowed.keep();
    this.stopping = true;
    this.stopButton.disabled = true;
    this.stopButton.textContent = "Stopping\u2026";
    this.post.stop(this.feed.state.run);
  }
  // --- keys -------------------------------------------------------------------------------------------------------------
  listen(signal) {
    window.addEventListener("keydown", (event) => this.keyDown(event), { capture: true, signal });
    this.el.addEventListener("keydown", (event) => takesText(event.target) && event.stopPropagation(), { signal });
    const timer = setInterval(() => this.tick(), 1e3);
    signal.addEventListener("abort", () => clearInterval(timer));
  }
  keyDown(event) {
    const target = event.composedPath()[0] ?? null;
    if (!event.composedPath().includes(this.el) || takesText(target) || !kept(event)) return;
    if (this.over && event.key === "Enter" && event.shiftKey) return;
    event.stopImmediatePropagation();
    if (!this.lookout.keyCounts()) this.lookout.typed();
    const choice = choiceOf(event);
    if (choice === null) return;
    event.preventDefault();
    const view = this.waiting();
    if (view === void 0) {
      if (choice === "stop" && !this.stopButton.hidden && !this.stopping) this.stop();
    } else if (this.lookout.keyCounts()) view.controls?.press(choice);
    else if (this.lookout.sight.inView === null) bringIntoView(view);
  }
  // --- what goes on -----------------------------------------------------------------------------------------------------
  tick() {
    const text2 = this.doing();
    if (this.progress.textContent !== text2) this.progress.textContent = text2;
    this.progress.hidden = text2 === "";
  }
  doing() {
    const { state, link, pending } = this.feed;
    if (link === "dead") return "The kernel that ran this is gone, or was restarted. Nothing here can run any more.";
    if (link === "connecting") return "Waiting for the kernel\u2026";
    if (link === "over") return state.ended === null ? "This run is over." : "";
    const elapsed = seconds(Math.floor((performance.now() - this.since) / 1e3)).replace(".0", "");
    const doing = DOING[state.phase] ?? "";
    if (pending !== null) return "Waiting for your decision.";
    if (state.phase === "asking") return "Checking\u2026";
    const starts = state.phase === "thinking" && state.boundary === null && state.progress === "" ? " \xB7 the sandbox is starting" : "";
    return `${doing}\u2026 ${elapsed}${starts}${state.progress === "" ? "" : ` \xB7 ${readable(state.progress)}`}`;
  }
};
function bringIntoView(view) {
  const fits = view.el.getBoundingClientRect().height < window.innerHeight;
  (fits ? view.el : view.controls?.el)?.scrollIntoView({ block: "nearest" });
}
var DOING = { opening: "Starting", thinking: "Thinking", running: "Running" };

// src/fold.ts
var EMPTY = {
  run: "",
  agent: "",
  task: "",
  variables: [],
  files: [],
  images: 0,
  model: "",
  sandbox: "",
  approve: "",
  session: "",
  resumes: "",
  boundary: null,
  phase: "opening",
  progress: "",
  steps: [],
  notices: [],
  answer: null,
  ended: null
};
function fold2(events, deltas = []) {
  return deltas.reduce(foldDelta, events.reduce(foldEvent, EMPTY));
}
function foldEvent(state, event) {
  if (state.run !== "" && event.run !== state.run) return foldCalled(state, event);
  const next = applied(state, event);
  return next === state || next.progress === "" ? next : { ...next, progress: "" };
}
function foldCalled(state, event) {
  if (event.event !== "Asked" || event.parent !== state.run) return withCalled(state, (run) => foldEvent(run, event));
  const { parent_step: n = 0, parent_call: call = 0 } = event;
  return withStep(state, n, (step) => ({ ...step, runs: [...step.runs, fold2([event])] }), call);
}
function withCalled(state, change) {
  let changed3 = false;
  const steps = state.steps.map((step) => {
    const runs = step.runs.map(change);
    if (runs.every((run, at) => run === step.runs[at])) return step;
    changed3 = true;
    return { ...step, runs };
  });
  return changed3 ? { ...state, steps } : state;
}
function applied(state, event) {
  switch (event.event) {
    case "Asked":
      return asked(state, event);
    case "Opened":
      return { ...state, boundary: event.boundary };
    case "Replied":
      return { ...withStep(noted(state, event), event.step, replied(event)), phase: "thinking" };
    case "Unparsed":
      return { ...withStep(state, event.step, unparsed(event)), phase: "thinking" };
    case "Trimmed":
      return { ...state, notices: [...state.notices, { step: event.step, text: trimmed2(event.steps) }] };
    case "Proposed":
      return { ...proposedIn(state, event), phase: "asking" };
    case "Allowed":
      return allowedOn(withStep(state, event.step, allowed(event), event.call), event);
    case "Refused":
      return phaseAfter(withStep(state, event.step, refused(event), event.call), event.step);
    case "Called":
      return withStep(state, event.step, called(event));
    case "Observed":
      return phaseAfter(withStep(state, event.step, observed(event), event.call), event.step);
    case "Answered":
      return { ...withStep(state, event.step, answered), answer: { step: event.step, text: event.text } };
    case "Ended":
      return ended(state, event);
    default:
      return state;
  }
}
function foldDelta(state, delta) {
  if ((delta.run ?? state.run) !== state.run) return withCalled(state, (run) => foldDelta(run, delta));
  switch (delta.channel) {
    case "progress":
      return { ...state, progress: delta.text };
    case "reply":
      return withStep(state, delta.step, (step) => ({ ...step, reply: step.reply + delta.text }));
    case "reasoning":
      return withStep(state, delta.step, (step) => ({ ...step, reasoning: step.reasoning + delta.text }));
    case "output":
      return withStep(state, delta.step, (step) => printed(step, delta.text));
    default:
      return state;
  }
}
function withStep(state, n, change, call = 0) {
  const at = state.steps.findLastIndex((step) => step.n === n && step.call === call);
  const steps = [...state.steps];
  if (at < 0) steps.push(change(newStep(n, call)));
  else steps[at] = change(steps[at]);
  return { ...state, steps };
}
function newStep(n, call) {
  return {
    n,
    call,
    status: "thinking",
    kind: "code",
    reply: "",
    reasoning: "",
    thought: "",
    code: "",
    fingerprint: "",
    findings: [],
    edited: null,
    sha256: "",
    by: "",
    scope: "",
    comment: "",
    reason: "",
    output: "",
    observation: null,
    usage: null,
    duration: 0,
    runs: [],
    tools: []
  };
}
function asked(state, event) {
  const { run, task, variables: variables2, model, sandbox, approve, session, resumes = "", files: files2 = [], agent = "" } = event;
  return { ...state, run, agent, task, variables: variables2, files: files2, images: event.images.length, model, sandbox, approve, session, resumes, phase: "thinking" };
}
function noted(state, { step, note = "" }) {
  return note === "" ? state : { ...state, notices: [...state.notices, { step, text: note }] };
}
function replied({ text: text2, reasoning, usage, duration }) {
  return (step) => ({ ...step, reply: text2, reasoning, usage, duration });
}
function unparsed({ reason }) {
  return (step) => ({ ...step, status: "unparsed", reason });
}
function proposedIn(state, event) {
  const { step: n, call = 0, thought } = event;
  if (call === 0) return withStep(state, n, proposed(event));
  const own = state.steps.findLast((step) => step.n === n && step.call === 0);
  if (own !== void 0 && own.status !== "thinking") return withStep(state, n, proposed(event), call);
  const begun = withStep(state, n, (step) => ({ ...step, status: "done", kind: "call", reply: "", thought }));
  return withStep(begun, n, proposed({ ...event, thought: "" }), call);
}
var UNDECIDED = { edited: null, sha256: "", by: "", scope: "", comment: "", reason: "" };
function proposed({ kind, thought, text: text2, fingerprint, findings }) {
  return (step) => ({ ...step, ...UNDECIDED, status: "pending", reply: "", kind, thought, code: text2, fingerprint, findings });
}
function allowed({ text: text2, sha256, by, edited, scope, comment, kind }) {
  const status = kind === "plan" ? "done" : "allowed";
  return (step) => ({ ...step, status, edited: edited ? text2 : null, sha256, by, scope, comment });
}
function allowedOn(state, { kind, step: n, call = 0 }) {
  if (kind === "plan") return { ...state, phase: "thinking" };
  if (kind !== "budget") return { ...state, phase: "running" };
  const asked2 = state.steps.find((step) => step.n === n && step.call === call);
  const notice = { step: n, text: `${asked2?.code ?? ""} It was allowed.` };
  return { ...state, steps: state.steps.filter((step) => step !== asked2), notices: [...state.notices, notice], phase: "thinking" };
}
function phaseAfter(state, n) {
  const own = state.steps.findLast((step) => step.n === n && step.call === 0);
  return { ...state, phase: own?.status === "allowed" || own?.status === "running" ? "running" : "thinking" };
}
function refused({ reason, by }) {
  return (step) => ({ ...step, status: "refused", reason, by });
}
function printed(step, text2) {
  return { ...step, status: step.status === "allowed" ? "running" : step.status, output: step.output + text2 };
}
function called({ call, name: name2, text: text2, result, error, duration, times }) {
  return (step) => ({ ...step, tools: [...step.tools, { call, name: name2, text: text2, result, error, duration, times }] });
}
function observed(event) {
  const { stdout, result, outputs, error, changed: changed3, is_final_answer, dropped, state_lost, duration, files: files2 = [] } = event;
  const observation2 = { stdout, result, outputs, error, changed: changed3, is_final_answer, dropped, state_lost, duration, files: files2 };
  return (step) => ({ ...step, status: "done", output: "", observation: observation2 });
}
function answered(step) {
  return step.status === "thinking" ? { ...step, status: "done" } : step;
}
function ended(state, event) {
  const { state: how, steps: count2, usage, duration, error, cut } = event;
  const steps = state.steps.map((step) => OPEN.has(step.status) ? { ...step, status: "cut" } : step);
  return { ...state, steps, phase: "ended", ended: { state: how, steps: count2, usage, duration, error, cut } };
}
var OPEN = /* @__PURE__ */ new Set(["thinking", "pending", "allowed", "running"]);
function trimmed2(steps) {
  const which = steps.length === 1 ? `step ${steps[0]}` : `steps ${steps.join(", ")}`;
  return `The output of ${which} is no longer shown to the model: the history outgrew its prompt.`;
}

// src/feed.ts
var Feed = class {
  /** `sync` asks the kernel for everything; it is called when a message is missing. */
  constructor(sync) {
    this.sync = sync;
  }
  sync;
  state = EMPTY;
  pending = null;
  link = "connecting";
  verdict = null;
  last = 0;
  listeners = /* @__PURE__ */ new Set();
  /** Calls `listener` after each change, until the returned function is called. */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  /** Takes a message of the kernel; whatever is none is ignored. */
  receive(message) {
    if (message.type === "json") return this.receive(JSON.parse(message.text));
    if (message.type === "verdict") this.verdict = { id: message.id, ok: message.ok, why: message.why };
    else if (message.type === "snapshot") this.takeSnapshot(message);
    else if (!this.takeNumbered(message)) return;
    if (message.type !== "snapshot") this.link = this.state.ended === null ? "live" : "over";
    this.changed();
  }
  /** Takes a finished run from the widget's saved state. */
  restore(saved) {
    if (saved === "" || this.state.ended !== null) return;
    this.state = fold2(JSON.parse(saved));
    this.pending = null;
    this.link = "over";
    this.changed();
  }
  /** Says that no kernel hears this page any more. A later message brings it back to life. */
  die() {
    if (this.link === "over") return;
    this.link = "dead";
    this.changed();
  }
  takeNumbered(message) {
    if (!Number.isInteger(message.seq) || message.seq <= this.last) return false;
    if (message.seq > this.last + 1) {
      this.sync();
      return false;
    }
    this.last = message.seq;
    if (message.type === "event") this.state = foldEvent(this.state, message.event);
    if (message.type === "delta") this.state = foldDelta(this.state, message.delta);
    if (message.type === "pending") this.pending = message.pending;
    if (this.state.ended !== null) this.pending = null;
    return true;
  }
  takeSnapshot(message) {
    if (message.seq < this.last) return;
    this.last = message.seq;
    this.state = unchanged(this.state, fold2(message.events, message.deltas));
    this.pending = message.pending;
    this.link = message.live && this.state.ended === null ? "live" : "over";
  }
  changed() {
    for (const listener of [...this.listeners]) listener();
  }
};
function unchanged(before, after) {
  const steps = after.steps.map((step, at) => {
    const old = before.steps[at];
    return old !== void 0 && JSON.stringify(old) === JSON.stringify(step) ? old : step;
  });
  return { ...after, steps };
}

// src/widget.ts
var SYNC_PAUSE = 500;
var KERNEL_PATIENCE = 4e3;
var Host = class {
  constructor(model) {
    this.model = model;
    model.on("msg:custom", (message) => this.receive(message));
    model.on("change:snapshot", () => this.restore());
    model.on("comm:close", () => this.feed.die());
    model.on("comm_live_update", () => this.doubt());
    this.restore();
  }
  model;
  feed = new Feed(() => this.sync());
  syncedAt = Number.NEGATIVE_INFINITY;
  answers = 0;
  send(content) {
    try {
      this.model.send(content);
    } catch {
      this.feed.die();
    }
  }
  /** Asks for everything, and gives the kernel a while to answer. */
  ready() {
    this.send({ type: "ready" });
    setTimeout(() => this.feed.link === "connecting" && this.feed.die(), KERNEL_PATIENCE);
  }
  post = {
    answer: (pending, reply) => {
      const id = `${Date.now().toString(36)}-${++this.answers}`;
      this.send({ type: "answer", id, ...pending, ...reply });
      return id;
    },
    stop: (run) => this.send({ type: "stop", run })
  };
  receive(message) {
    if (typeof message === "object" && message !== null) this.feed.receive(message);
  }
  restore() {
    const saved = this.model.get("snapshot");
    if (typeof saved === "string") this.feed.restore(saved);
  }
  /** The comm changed hands. Dead until the kernel says something, which is asked for. */
  doubt() {
    this.feed.die();
    this.sync();
  }
  sync() {
    const now = performance.now();
    if (now - this.syncedAt < SYNC_PAUSE) return;
    this.syncedAt = now;
    this.send({ type: "sync" });
  }
};
function widget() {
  let host = null;
  const hostOf = (model) => host ??= new Host(model);
  return {
    initialize({ model }) {
      hostOf(model).send({ type: "init" });
    },
    render({ model, el }) {
      const { feed, post } = hostOf(model);
      const end = new AbortController();
      const card = new Card(feed, post, end.signal);
      const quiet = feed.listen(() => card.update());
      el.append(card.el);
      hostOf(model).ready();
      return () => {
        end.abort();
        quiet();
        card.el.remove();
      };
    }
  };
}
export {
  widget as default
};
