// The commands for agents: in the palette, by shortcut, in a cell's toolbar and its menu. Shortcuts, toolbars and menus are defined in
// schema/commands.json, so that users can change them in the settings.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ICommandPalette, Notification } from "@jupyterlab/apputils";
import type { Cell, ICodeCellModel } from "@jupyterlab/cells";
import { INotebookTracker, NotebookActions, type NotebookPanel } from "@jupyterlab/notebook";
import { ISettingRegistry } from "@jupyterlab/settingregistry";
import type { CommandRegistry } from "@lumino/commands";
import type { ReadonlyPartialJSONObject } from "@lumino/coreutils";

import { agentIcon } from "./icon";
import { isAgentCell } from "./option-line";
import { stopOrNotify } from "./remote-stop";
import { cellText, errorOf, explainTask, FIXES_METADATA } from "./fix-task";
import { IActiveRuns } from "./active-runs";
import { findUsedVariables } from "./used-variables";

const ID = "@smolcell/labextension:commands";
const CATEGORY = "Agents";

export const COMMANDS = {
  insert: "smolcell:insert-cell",
  explain: "smolcell:explain-cell",
  pending: "smolcell:go-to-pending",
  stop: "smolcell:stop-run",
  export: "smolcell:export-steps",
};

const CONTROLS = ".smolcell-controls";
const STOP = "button.smolcell-stop:not([hidden], :disabled)";
const EXPORT = ".smolcell-export:not([hidden]) > button:not(:disabled)";

export const commands: JupyterFrontEndPlugin<void> = {
  id: ID,
  description: "Commands for agents: insert a cell, go to a waiting step, stop a run, export its steps.",
  autoStart: true,
  requires: [INotebookTracker],
  optional: [ICommandPalette, ISettingRegistry, IActiveRuns],
  activate: (
    app: JupyterFrontEnd,
    tracker: INotebookTracker,
    palette: ICommandPalette | null,
    settings: ISettingRegistry | null,
    activeRuns: IActiveRuns | null,
  ): void => {
    const cells = new AgentCells(tracker, activeRuns);
    for (const [id, options] of Object.entries(cells.commands(app))) {
      app.commands.addCommand(id, options);
      palette?.addItem({ command: id, category: CATEGORY });
    }
    tracker.activeCellChanged.connect(() => app.commands.notifyCommandChanged(COMMANDS.explain));
    tracker.currentChanged.connect(() => app.commands.notifyCommandChanged());
    void settings?.load(ID).then((loaded) => cells.follow(loaded), () => undefined); // without settings: the defaults
  },
};

class AgentCells {
  private options = "";

  constructor(
    private readonly tracker: INotebookTracker,
    private readonly activeRuns: IActiveRuns | null,
  ) {}

  follow(settings: ISettingRegistry.ISettings): void {
    const read = (): void => void (this.options = String(settings.get("options").composite ?? ""));
    settings.changed.connect(read);
    read();
  }

  commands(app: JupyterFrontEnd): Record<string, CommandRegistry.ICommandOptions> {
    const open = (): boolean => this.tracker.currentWidget !== null;
    return {
      [COMMANDS.insert]: { label: "Insert Agent Cell Below", caption: "Insert an %%agent cell below this one", icon: agentIcon, isEnabled: open, execute: () => this.insert(cellText(this.options, "")) },
      [COMMANDS.explain]: {
        label: "Explain or Fix Cell with Agent",
        caption: "Write an %%agent cell about this cell and its error; it is not run",
        icon: agentIcon,
        isEnabled: (args) => isExplainable(this.targetCell(app, args)),
        isVisible: (args) => isCandidate(this.targetCell(app, args)),
        execute: (args) => this.explain(this.targetCell(app, args)),
      },
      [COMMANDS.pending]: { label: "Go to Pending Approval", caption: "Show the step that waits for you", execute: () => this.goToPending(app) },
      [COMMANDS.stop]: { label: "Stop Agent Run", caption: "Stop the run in this notebook", isEnabled: open, execute: () => this.stop() },
      [COMMANDS.export]: { label: "Export Approved Steps as Cells", caption: "Write the steps of the newest run as ordinary cells", isEnabled: open, execute: () => this.export() },
    };
  }

  /** Inserts a cell with this text below the active one, and starts editing it if `edit`. */
  private insert(text: string, edit = true, metadata: ReadonlyPartialJSONObject = {}): void {
    const content = this.tracker.currentWidget?.content;
    const cells = content?.model?.sharedModel;
    if (content === undefined || cells === undefined) return;
    const at = content.widgets.length === 0 ? 0 : content.activeCellIndex + 1;
    content.deselectAll();
    cells.insertCell(at, { cell_type: "code", source: text, metadata: { trusted: true, ...metadata } });
    content.activeCellIndex = at;
    content.mode = edit ? "edit" : "command";
    if (edit) void this.startTyping(content.activeCell, text.split("\n")[1]?.length ?? 0);
    void content.scrollToItem(at, "smart");
  }

  /** Puts the cursor at the end of the task's first line. */
  private async startTyping(cell: Cell | null, column: number): Promise<void> {
    await cell?.ready;
    cell?.editor?.setCursorPosition({ line: 1, column });
    if (cell === this.tracker.activeCell) cell?.editor?.focus();
  }

  /** The cell that a command is about: the one whose menu was opened, else the active one. */
  private targetCell(app: JupyterFrontEnd, { clicked }: ReadonlyPartialJSONObject): Cell | null {
    const node = clicked === true ? app.contextMenuHitTest((found) => found.classList.contains("jp-Cell")) : undefined;
    const cells = this.tracker.currentWidget?.content.widgets ?? [];
    return cells.find((cell) => cell.node === node) ?? this.tracker.activeCell;
  }

  private async explain(cell: Cell | null): Promise<void> {
    const panel = this.tracker.currentWidget;
    if (cell === null || panel === null || !isExplainable(cell)) return;
    const source = cell.model.sharedModel.getSource();
    const error = errorOf((cell.model as ICodeCellModel).outputs.toJSON());
    const variables = await findUsedVariables(source, panel.sessionContext.session?.kernel);
    if (panel !== this.tracker.currentWidget || cell.isDisposed) return;
    panel.content.activeCellIndex = panel.content.widgets.indexOf(cell);
    this.insert(explainTask({ source, error, variables }, this.options), true, error === "" ? {} : { [FIXES_METADATA]: cell.model.id });
  }

  private async goToPending(app: JupyterFrontEnd): Promise<void> {
    const [place] = cardsWith(this.tracker, CONTROLS);
    if (place === undefined) return this.goElsewhere();
    app.shell.activateById(place.panel.id);
    await focusInCard(place, CONTROLS);
  }

  /** Shows a waiting run in a notebook that is not open here, or whose card this page has lost. */
  private async goElsewhere(): Promise<void> {
    const run = this.activeRuns?.runs.find(({ state }) => state === "pending");
    if (run === undefined) Notification.info("No step waits for your approval.", { autoClose: 4000 });
    else await this.activeRuns?.show(run);
  }

  private async stop(): Promise<void> {
    const panel = this.tracker.currentWidget;
    const place = cardsWith(this.tracker, STOP).find((one) => one.panel === panel);
    if (place !== undefined) return place.card.querySelector<HTMLButtonElement>(STOP)?.click();
    const run = this.activeRuns?.runs.find((one) => this.activeRuns?.pathOf(one) === panel?.context.path);
    if (run === undefined) Notification.info("No agent runs in this notebook.", { autoClose: 4000 });
    else if (this.activeRuns !== null) await stopOrNotify(this.activeRuns, run);
  }

  /** Exports by the newest card of the notebook; without one by the magic, which also knows runs without a card. */
  private async export(): Promise<void> {
    const panel = this.tracker.currentWidget;
    if (panel === null) return;
    const place = cardsWith(this.tracker, EXPORT).findLast((one) => one.panel === panel);
    if (place !== undefined) return place.card.querySelector<HTMLButtonElement>(EXPORT)?.click();
    this.insert("%agent export", false);
    await NotebookActions.run(panel.content, panel.sessionContext);
  }
}

/** Whether a cell is a code cell but not an agent cell. */
function isCandidate(cell: Cell | null): boolean {
  return cell?.model.type === "code" && !isAgentCell(cell.model.sharedModel.getSource());
}

function isExplainable(cell: Cell | null): boolean {
  return isCandidate(cell) && cell?.model.sharedModel.getSource().trim() !== "";
}

// --- cards ---------------------------------------------------------------------------------------------------------------
//
// The cards in all open notebooks, including cells that are scrolled out of view and not in the page.

/** A card, and where it is. */
interface Place {
  panel: NotebookPanel;
  cell: number;
  card: HTMLElement;
}

/** The cards that contain a match of the selector; those of the current notebook first. */
function cardsWith(tracker: INotebookTracker, selector: string): Place[] {
  const panels: NotebookPanel[] = [];
  tracker.forEach((panel) => (panel === tracker.currentWidget ? panels.unshift(panel) : panels.push(panel)));
  return panels.flatMap((panel) =>
    panel.content.widgets.flatMap((cell, at) => {
      const cards = [...cell.node.querySelectorAll<HTMLElement>(".smolcell-card")];
      return cards.filter((card) => card.querySelector(selector) !== null).map((card) => ({ panel, cell: at, card }));
    }),
  );
}

/** Scrolls to a card, focuses it, and scrolls the match of the selector into view. */
async function focusInCard({ panel, cell, card }: Place, selector: string): Promise<void> {
  panel.content.activeCellIndex = cell;
  panel.content.mode = "command";
  await panel.content.scrollToItem(cell, "smart");
  card.focus({ preventScroll: true });
  card.querySelector(selector)?.scrollIntoView({ block: "nearest" });
}
