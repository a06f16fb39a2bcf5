// A table from a sandbox as rows of text. `smolcell/worker/runner/display.py` writes it, but its content cannot be trusted.

import { type Child, h } from "./dom";
import { count, readable } from "./text";

export const TABLE = "application/vnd.smolcell.table+json";
const MAX_CHARS = 1_000_000;
const MAX_ROWS = 200;
const MAX_COLUMNS = 100;
const MAX_CELL_CHARS = 1000;

interface Grid {
  columns: string[];
  index: string[];
  rows: string[][];
  /** Which columns hold numbers. */
  numeric: boolean[];
  /** Rows and columns of the whole table. */
  shape: [number, number];
  /** Number of rows, and of columns, after which some are left out; 0 if none are. */
  gap: [number, number];
}

/** The table as a node; null if the text is not a table. */
export function tableOf(text: string): HTMLElement | null {
  const grid = readGrid(text);
  if (grid === null) return null;
  const [rowGap, columnGap] = grid.gap;
  const head = h("tr", "", h("td", ""), ...insertGap(grid.columns.map((name, at) => heading(name, "col", grid.numeric[at])), columnGap, () => h("th", "", "\u2026")));
  const rows = grid.rows.map((cells, at) => row(grid, grid.index[at] ?? "", cells));
  const gapRow = (): HTMLElement => h("tr", "gap", h("th", "", "\u2026"), ...insertGap(grid.columns.map(() => h("td", "", "\u2026")), columnGap, () => h("td", "", "\u2026")));
  const table = h("table", "table", h("thead", "", head), h("tbody", "", ...insertGap(rows, rowGap, gapRow)));
  const box = h("div", "table-box", table);
  box.tabIndex = 0; // it scrolls if it is wider than the card
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Table");
  return h("div", "table-part", box, h("p", "quiet", `${count(grid.shape[0], "row")} \u00d7 ${count(grid.shape[1], "column")}`));
}

function row(grid: Grid, label: string, cells: readonly string[]): HTMLElement {
  const shown = cells.map((cell, at) => h("td", grid.numeric[at] === true ? "numeric" : "", readable(cell)));
  return h("tr", "", heading(label, "row", false), ...insertGap(shown, grid.gap[1], () => h("td", "", "\u2026")));
}

function heading(text: string, scope: string, numeric = false): HTMLElement {
  const node = h("th", numeric ? "numeric" : "", readable(text));
  node.scope = scope;
  return node;
}

/** Inserts a node after the first `after` nodes; none if that is 0. */
function insertGap(nodes: Child[], after: number, gap: () => HTMLElement): Child[] {
  return after > 0 && after < nodes.length ? [...nodes.slice(0, after), gap(), ...nodes.slice(after)] : nodes;
}

function readGrid(text: string): Grid | null {
  if (text.length > MAX_CHARS) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== "object" || parsed === null) return null;
  const { columns, index, rows, numeric, shape, gap } = parsed as Record<string, unknown>;
  if (!areTexts(columns, MAX_COLUMNS) || !areTexts(index, MAX_ROWS) || !Array.isArray(rows) || rows.length !== index.length) return null;
  if (!rows.every((cells) => areTexts(cells, MAX_COLUMNS) && cells.length === columns.length)) return null;
  if (!Array.isArray(numeric) || numeric.length !== columns.length || !numeric.every((one) => typeof one === "boolean")) return null;
  if (!isPairOfCounts(shape) || !isPairOfCounts(gap)) return null;
  return { columns, index, rows: rows as string[][], numeric: numeric as boolean[], shape, gap };
}

function areTexts(value: unknown, max: number): value is string[] {
  return Array.isArray(value) && value.length <= max && value.every((text) => typeof text === "string" && text.length <= MAX_CELL_CHARS);
}

function isPairOfCounts(value: unknown): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every((n) => Number.isSafeInteger(n) && n >= 0);
}
