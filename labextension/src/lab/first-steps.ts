// Help for new users: an example notebook in the launcher, and a tour when an agent cell is first opened.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ICommandPalette, showErrorMessage } from "@jupyterlab/apputils";
import { ILauncher } from "@jupyterlab/launcher";
import { INotebookTracker, type NotebookPanel } from "@jupyterlab/notebook";
import type { KernelSpec } from "@jupyterlab/services";
import { ISettingRegistry } from "@jupyterlab/settingregistry";

import { agentIcon, launcherIcon } from "./icon";
import { isAgentCell } from "./option-line";
import { cellText } from "./fix-task";
import { Tour } from "./tour";

const ID = "@smolcell/labextension:first-steps";
const CELL_SETTINGS = "@smolcell/labextension:commands";
const NEW = "smolcell:new-notebook";
const TOUR = "smolcell:tour";

export const EXAMPLE = "How many prime numbers are below 1000? Plot how many there are in each hundred.";

export const firstSteps: JupyterFrontEndPlugin<void> = {
  id: ID,
  description: "An agent notebook in the launcher, and a tour on first use.",
  autoStart: true,
  requires: [INotebookTracker],
  optional: [ILauncher, ICommandPalette, ISettingRegistry],
  activate: (
    app: JupyterFrontEnd,
    tracker: INotebookTracker,
    launcher: ILauncher | null,
    palette: ICommandPalette | null,
    settings: ISettingRegistry | null,
  ): void => {
    if (launcher !== null) offerNotebook(app, launcher, palette, settings); // in Notebook 7 a new notebook is another page
    offerTour(app, tracker, palette, settings);
  },
};

// --- the notebook --------------------------------------------------------------------------------------------------------

function offerNotebook(app: JupyterFrontEnd, launcher: ILauncher, palette: ICommandPalette | null, settings: ISettingRegistry | null): void {
  app.commands.addCommand(NEW, {
    label: (args) => (args["isPalette"] === true ? "New Agent Notebook" : "Agent notebook"),
    caption: "A new notebook with an example agent cell",
    icon: agentIcon,
    execute: ({ cwd }) => newNotebook(app, typeof cwd === "string" ? cwd : undefined, settings),
  });
  launcher.add({ command: NEW, category: "Notebook", rank: 1, kernelIconUrl: launcherIcon });
  palette?.addItem({ command: NEW, category: "Agents", args: { isPalette: true } });
}

async function newNotebook(app: JupyterFrontEnd, cwd: string | undefined, settings: ISettingRegistry | null): Promise<void> {
  const { kernelspecs } = app.serviceManager;
  await kernelspecs.ready;
  const kernelName = findPythonKernel(kernelspecs.specs);
  if (kernelName === undefined) {
    await showErrorMessage("No Python kernel", "Agent cells need one. Type in a terminal: python -m pip install ipykernel");
    return;
  }
  const options = await settings?.get(CELL_SETTINGS, "options").then(({ composite }) => String(composite ?? ""), () => "");
  const panel = (await app.commands.execute("notebook:create-new", { ...(cwd === undefined ? {} : { cwd }), kernelName, activate: true })) as NotebookPanel;
  await panel.revealed;
  fill(panel, ["%load_ext smolcell", cellText(options ?? "", EXAMPLE)]);
}

/** The default kernel if it is Python, else the first Python kernel. */
export function findPythonKernel(specs: KernelSpec.ISpecModels | null): string | undefined {
  const names = specs === null ? [] : [specs.default, ...Object.keys(specs.kernelspecs)];
  return names.find((name) => specs?.kernelspecs[name]?.language.toLowerCase() === "python");
}

function fill({ content }: NotebookPanel, sources: string[]): void {
  const notebook = content.model?.sharedModel;
  if (notebook === undefined) return;
  notebook.transact(() => {
    notebook.deleteCellRange(0, notebook.cells.length); // the empty cell of a new notebook
    notebook.insertCells(0, sources.map((source) => ({ cell_type: "code" as const, source, metadata: { trusted: true } })));
  });
  notebook.clearUndoHistory();
  content.activeCellIndex = 0;
}

// --- the tour ------------------------------------------------------------------------------------------------------------

function offerTour(app: JupyterFrontEnd, tracker: INotebookTracker, palette: ICommandPalette | null, registry: ISettingRegistry | null): void {
  const loaded = registry?.load(ID).catch(() => undefined);
  const tour = new Tour(() => void loaded?.then((settings) => settings?.set("tour", false)).catch(() => undefined)); // kept for this page at least
  app.commands.addCommand(TOUR, { label: "Tour of Agent Cells", caption: "Show the four notes about agent cells", icon: agentIcon, execute: () => tour.open(true) });
  palette?.addItem({ command: TOUR, category: "Agents" });
  void loaded?.then((settings) => {
    const wanted = (): boolean => settings?.get("tour").composite === true; // without settings it would open every time
    if (wanted()) whenUsed(tracker, () => wanted() && tour.open(false));
  });
}

/** Calls `call` once, when the current notebook has an agent cell. */
export function whenUsed(tracker: INotebookTracker, call: () => void): void {
  let used = false;
  const look = async (): Promise<void> => {
    const panel = tracker.currentWidget;
    await panel?.context.ready; // before that, cells may be missing
    const cells = panel?.content.model?.sharedModel.cells ?? [];
    if (used || panel !== tracker.currentWidget || !cells.some((cell) => isAgentCell(cell.getSource()))) return;
    used = true;
    tracker.activeCellChanged.disconnect(look);
    call();
  };
  tracker.activeCellChanged.connect(look);
  void look();
}
