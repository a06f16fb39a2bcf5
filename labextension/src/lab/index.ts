// The JupyterLab extension. One plugin a file; each can be switched off by its id, and none needs another one to be there
// unless it says so in `requires`. Notebook 7 loads the same plugins; its shell has fewer places, so tokens are optional.

import type { JupyterFrontEndPlugin } from "@jupyterlab/application";

import { panel } from "./panel";

const plugins: JupyterFrontEndPlugin<unknown>[] = [panel];

export default plugins;
