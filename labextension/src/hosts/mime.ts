// The renderer of saved runs. It draws only when it becomes visible: while the run's live card is on the page, this output is
// hidden and not drawn.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { IRenderMimeRegistry } from "@jupyterlab/rendermime";
import type { IRenderMime } from "@jupyterlab/rendermime-interfaces";
import { Widget } from "@lumino/widgets";

import { BadRunError, mergeRecord, readEvents, renderSavedCard, runClass } from "./saved";

const MIME = "application/vnd.smolcell.run+json";
const RANK = 40; // preferred to text/html, which shows the same without collapsible steps

export class SavedRun extends Widget implements IRenderMime.IRenderer {
  private content: (() => Node) | null = null;
  private readonly observer = new ResizeObserver(() => this.draw());

  async renderModel({ data, metadata }: IRenderMime.IMimeModel): Promise<void> {
    try {
      const events = readEvents(mergeRecord(data[MIME], metadata[MIME] ?? {}));
      this.node.className = `lm-Widget smolcell-saved ${runClass(events[0]?.run ?? "")}`;
      this.content = () => renderSavedCard(events);
    } catch (error) {
      const why = error instanceof BadRunError ? error.message : "it cannot be read";
      this.content = () => errorNode(`The saved run is not shown: ${why}.`, data["text/plain"]);
    }
    this.observer.observe(this.node);
    this.draw();
  }

  override dispose(): void {
    this.observer.disconnect();
    super.dispose();
  }

  private draw(): void {
    if (this.content === null || this.node.clientWidth === 0) return;
    const content = this.content;
    this.content = null;
    try {
      this.node.replaceChildren(content());
    } catch {
      this.node.replaceChildren(errorNode("The saved run is not shown: it cannot be drawn.", undefined));
    }
  }
}

/** The reason why a run is not drawn, followed by the output's plain text. */
function errorNode(why: string, plain: unknown): HTMLElement {
  const node = document.createElement("pre");
  node.className = "smolcell-not-shown";
  node.textContent = typeof plain === "string" ? `${why}\n\n${plain.slice(0, 100_000)}` : why;
  return node;
}

export const mime: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:mime",
  description: "Shows saved agent runs without a kernel.",
  autoStart: true,
  requires: [IRenderMimeRegistry],
  activate: (_app: JupyterFrontEnd, rendermime: IRenderMimeRegistry): void =>
    rendermime.addFactory({ safe: true, mimeTypes: [MIME], createRenderer: () => new SavedRun() }, RANK),
};
