// The editor of an agent's cell: Markdown below a line of options.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import type { CodeEditor } from "@jupyterlab/codeeditor";
import { EditorExtensionRegistry, IEditorExtensionRegistry, IEditorLanguageRegistry } from "@jupyterlab/codemirror";

import { agentCell, AgentMarkdown, openOnNames } from "./agent-language";

export const cell: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:cell",
  description: "Shows the task of an %%agent cell as Markdown, and its first line as options.",
  autoStart: true,
  requires: [IEditorExtensionRegistry, IEditorLanguageRegistry],
  activate: ({ commands }: JupyterFrontEnd, extensions: IEditorExtensionRegistry, languages: IEditorLanguageRegistry): void => {
    // In a timeout, because the completer handles the typed character first and would close again.
    const names = openOnNames(() => void setTimeout(() => void commands.execute("completer:invoke-notebook").catch(() => undefined)));
    const markdown = new AgentMarkdown(async () => (await languages.getLanguage("ipythongfm"))?.support);
    extensions.addExtension<boolean>({
      name: "smolcellAgentCells",
      default: true,
      schema: {
        type: "boolean",
        title: "Agent cells as Markdown",
        description: "Show the task of an %%agent cell as Markdown, and its first line as options.",
      },
      factory: ({ model }) =>
        isCodeCell(model)
          ? EditorExtensionRegistry.createConfigurableExtension((on: boolean) => (on ? [agentCell(model.sharedModel.getSource(), markdown), names] : []))
          : null,
    });
  },
};

function isCodeCell(model: CodeEditor.IModel): boolean {
  return "type" in model && model.type === "code";
}
