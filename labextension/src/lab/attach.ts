// Provides the list of active runs to the other plugins, restores lost cards, and saves a notebook when a step waits in it.

import { ILabShell, type JupyterFrontEnd, type JupyterFrontEndPlugin } from "@jupyterlab/application";
import { INotebookTracker, type NotebookPanel } from "@jupyterlab/notebook";
import { ISettingRegistry } from "@jupyterlab/settingregistry";

import { Autosaver } from "./autosave";
import type { KernelLink, RunsChange } from "./kernel-link";
import { findCell, renderIfLost, restoreCard } from "./run-card";
import { IActiveRuns } from "./active-runs";
import type { Run } from "./runs";
import { RunTracker } from "./run-tracker";

const ID = "@smolcell/labextension:attach";

/** Handles the reports of a notebook's own kernel. */
class NotebookAttachment {
  saving = true;
  private readonly restored = new Set<string>(); // runs whose card this page restored

  constructor(private readonly autosaver: Autosaver) {}

  async handle(panel: NotebookPanel, link: KernelLink, { runs, found }: RunsChange): Promise<void> {
    await panel.revealed;
    if (found) for (const run of runs) if (run.client !== link.kernel.clientId) this.restore(panel, run);
    const here = runs.filter((run) => run.client === link.kernel.clientId || this.restored.has(run.run));
    const pending = here.filter(({ state }) => this.saving && state === "pending");
    await Promise.all(pending.map((run) => this.autosaver.saveWithCard(panel, run, () => stillWaits(link, run))));
  }

  private restore(panel: NotebookPanel, run: Run): void {
    const cell = findCell(panel, run);
    if (cell === undefined) return;
    if (restoreCard(cell, run)) this.restored.add(run.run);
    void renderIfLost(cell, run);
  }
}

/** Whether exactly this step still waits. */
function stillWaits(link: KernelLink, { run, step }: Run): boolean {
  return link.runs?.some((one) => one.run === run && one.step === step && one.state === "pending") === true;
}

export const attach: JupyterFrontEndPlugin<IActiveRuns> = {
  id: ID,
  description: "Tracks the agents' runs of all kernels, restores lost cards, and saves a notebook in which a step waits.",
  autoStart: true,
  optional: [INotebookTracker, ISettingRegistry, ILabShell],
  provides: IActiveRuns,
  activate: (
    app: JupyterFrontEnd,
    tracker: INotebookTracker | null,
    registry: ISettingRegistry | null,
    lab: ILabShell | null,
  ): IActiveRuns => {
    const attachment = new NotebookAttachment(new Autosaver(app.serviceManager.contents));
    void registry?.load(ID).then((settings) => {
      const take = (): void => {
        attachment.saving = settings.get("saveWhenPending").composite !== false;
      };
      settings.changed.connect(take);
      take();
    });
    return new RunTracker(app, lab, tracker, (panel, link, change) => {
      attachment.handle(panel, link, change).catch((error: unknown) => console.warn("smolcell:", error));
    });
  },
};
