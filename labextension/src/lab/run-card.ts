// Finds a run's card in its cell, restores it there, or shows it in a tab of its own.

import type { ILabShell, JupyterFrontEnd } from "@jupyterlab/application";
import { MainAreaWidget } from "@jupyterlab/apputils";
import type { Cell, CodeCell, ICodeCellModel } from "@jupyterlab/cells";
import type { NotebookPanel } from "@jupyterlab/notebook";
import { MimeModel } from "@jupyterlab/rendermime";
import { Panel } from "@lumino/widgets";

import { agentIcon } from "./icon";
import type { Run } from "./runs";

const WIDGET = "application/vnd.jupyter.widget-view+json";
const LOST = "Error displaying widget"; // what jupyterlab-widgets writes in place of a widget
const LOST_CHECKS = 5;
const LOST_CHECK_MS = 2500;

/** Finds the run's cell in this notebook, by the cell's id. */
export function findCell(panel: NotebookPanel, run: Run): Cell | undefined {
  return run.cell === "" ? undefined : panel.content.widgets.find((cell) => cell.model.id === run.cell);
}

/** Where the cell's outputs hold the run's card; -1 if they do not. */
function findOutput(cell: Cell, run: Run): number {
  if (cell.model.type !== "code") return -1;
  const { outputs } = cell.model as ICodeCellModel;
  for (let at = 0; at < outputs.length; at++) {
    const view = outputs.get(at).data[WIDGET];
    if (typeof view === "object" && view !== null && "model_id" in view && view.model_id === run.widget) return at;
  }
  return -1;
}

/** Whether the cell's outputs hold the run's card. */
export function hasCard(cell: Cell, run: Run): boolean {
  return findOutput(cell, run) >= 0;
}

/**
 * Renders the card again if JupyterLab has given up on it: its widget renderer waits two seconds for the kernel's models, and does
 * not look once more at the end.
 */
export async function renderIfLost(cell: Cell, run: Run): Promise<void> {
  for (let check = 0; check < LOST_CHECKS; check++) {
    await new Promise((resolve) => setTimeout(resolve, LOST_CHECK_MS));
    const at = cell.isDisposed ? -1 : findOutput(cell, run);
    if (at < 0) return;
    const { model, outputArea } = cell as CodeCell;
    const node = outputArea?.widgets[at]?.node;
    if (node?.querySelector(".smolcell-card") != null) return;
    if (node?.textContent?.includes(LOST) === true) model.outputs.set(at, model.outputs.get(at).toJSON());
  }
}

/**
 * Adds the card to the cell's outputs if it is missing; returns whether it was added.
 *
 * A cell without other outputs becomes trusted, as it was when the user ran it: it shows only the card.
 */
export function restoreCard(cell: Cell, run: Run): boolean {
  if (cell.model.type !== "code" || run.widget === "" || hasCard(cell, run)) return false;
  const model = cell.model as ICodeCellModel;
  if (model.outputs.length === 0) model.trusted = true;
  model.outputs.add({ output_type: "display_data", data: bundle(run), metadata: {} });
  return true;
}

/** Scrolls to the card in its cell and focuses it; false if the notebook has no such cell. */
export async function focusCard(panel: NotebookPanel, run: Run): Promise<boolean> {
  const cell = findCell(panel, run);
  if (cell === undefined) return false;
  restoreCard(cell, run);
  const at = panel.content.widgets.indexOf(cell);
  panel.content.activeCellIndex = at;
  panel.content.mode = "command";
  await panel.content.scrollToItem(at, "start");
  const card = cell.node.querySelector<HTMLElement>(`.smolcell-card[data-run="${CSS.escape(run.run)}"]`);
  card?.focus({ preventScroll: true });
  const [step] = [...(card?.querySelectorAll('[data-status="pending"]') ?? [])].slice(-1);
  (step ?? card)?.scrollIntoView({ block: "nearest" });
  return true;
}

/** Shows the card in a tab of its own beside a notebook that has no cell for it. */
export async function openInTab(app: JupyterFrontEnd, lab: ILabShell | null, panel: NotebookPanel, run: Run): Promise<void> {
  const id = `smolcell-card-${run.run}`;
  for (const area of ["main", "down"]) {
    for (const widget of app.shell.widgets(area)) if (widget.id === id) return app.shell.activateById(id);
  }
  const card = panel.content.rendermime.createRenderer(WIDGET);
  const content = new Panel();
  content.addClass("smolcell-apart");
  content.addWidget(card);
  const main = new MainAreaWidget({ content });
  main.id = id;
  main.title.label = run.task || "Agent run";
  main.title.icon = agentIcon;
  main.title.closable = true;
  app.shell.add(main, lab === null ? "down" : "main", lab === null ? {} : { mode: "split-bottom", ref: panel.id });
  await card.renderModel(new MimeModel({ data: bundle(run), trusted: true }));
  app.shell.activateById(id);
}

function bundle(run: Run): { [mime: string]: string | { [key: string]: string | number } } {
  const view = { model_id: run.widget, version_major: 2, version_minor: 0 };
  return { [WIDGET]: view, "text/plain": `smolcell run: ${run.task}` };
}
