// A table of the sandbox as rows of text: `smolcell/worker/runner/display.py` makes it, and anything may stand in it.

import { type Child, h } from "./dom";
import { count, readable } from "./text";

export const TABLE = "application/vnd.smolcell.table+json";
const MOST_TEXT = 1_000_000; // characters
const MOST_ROWS = 200;
const MOST_COLUMNS = 100;
const MOST_CELL = 1000; // characters

interface Grid {
  columns: string[];
  index: string[];
  rows: string[][];
  /** Which columns hold numbers. */
  numeric: boolean[];
  /** Rows and columns of the whole. */
  shape: [number, number];
  /** After so many rows, and columns, some are left out; 0: none are. */
  gap: [number, number];
}

/** The table, or null where the text is none. */
export function tableOf(text: string): HTMLElement | null {
  const grid = read(text);
  if (grid === null) return null;
  const [rowGap, columnGap] = grid.gap;
  const head = h("tr", "", h("td", ""), ...spread(grid.columns.map((name, at) => heading(name, "col", grid.numeric[at])), columnGap, () => h("th", "", "\u2026")));
  const rows = grid.rows.map((cells, at) => row(grid, grid.index[at] ?? "", cells));
  const gapRow = (): HTMLElement => h("tr", "gap", h("th", "", "\u2026"), ...spread(grid.columns.map(() => h("td", "", "\u2026")), columnGap, () => h("td", "", "\u2026")));
  const table = h("table", "table", h("thead", "", head), h("tbody", "", ...spread(rows, rowGap, gapRow)));
  const box = h("div", "table-box", table);
  box.tabIndex = 0; // it may be wider than the card, and scrolls then
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Table");
  return h("div", "table-part", box, h("p", "quiet", `${count(grid.shape[0], "row")} \u00d7 ${count(grid.shape[1], "column")}`));
}

function row(grid: Grid, label: string, cells: readonly string[]): HTMLElement {
  const shown = cells.map((cell, at) => h("td", grid.numeric[at] === true ? "numeric" : "", readable(cell)));
  return h("tr", "", heading(label, "row", false), ...spread(shown, grid.gap[1], () => h("td", "", "\u2026")));
}

function heading(text: string, scope: string, numeric = false): HTMLElement {
  const node = h("th", numeric ? "numeric" : "", readable(text));
  node.scope = scope;
  return node;
}

/** The nodes, with one more after so many of them; 0: with none. */
function spread(nodes: Child[], after: number, more: () => HTMLElement): Child[] {
  return after > 0 && after < nodes.length ? [...nodes.slice(0, after), more(), ...nodes.slice(after)] : nodes;
}

function read(text: string): Grid | null {
  if (text.length > MOST_TEXT) return null;
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof given !== "object" || given === null) return null;
  const { columns, index, rows, numeric, shape, gap } = given as Record<string, unknown>;
  if (!texts(columns, MOST_COLUMNS) || !texts(index, MOST_ROWS) || !Array.isArray(rows) || rows.length !== index.length) return null;
  if (!rows.every((cells) => texts(cells, MOST_COLUMNS) && cells.length === columns.length)) return null;
  if (!Array.isArray(numeric) || numeric.length !== columns.length || !numeric.every((one) => typeof one === "boolean")) return null;
  if (!counts(shape) || !counts(gap)) return null;
  return { columns, index, rows: rows as string[][], numeric: numeric as boolean[], shape, gap };
}

function texts(value: unknown, most: number): value is string[] {
  return Array.isArray(value) && value.length <= most && value.every((text) => typeof text === "string" && text.length <= MOST_CELL);
}

function counts(value: unknown): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every((n) => Number.isSafeInteger(n) && n >= 0);
}
