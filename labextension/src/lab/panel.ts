// The side panel: what waits, what runs, and in which sandboxes.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { Widget } from "@lumino/widgets";

export const panel: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:panel",
  description: "A side panel with the agents' pending approvals, runs and sandboxes.",
  autoStart: true,
  activate: (app: JupyterFrontEnd): void => {
    const widget = new Widget();
    widget.id = "smolcell-panel";
    widget.addClass("smolcell-panel");
    widget.title.caption = "Agent runs";
    widget.title.label = "Agents";
    app.shell.add(widget, "right", { rank: 900, type: "Agents" });
  },
};
