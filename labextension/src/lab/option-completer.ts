// Completes the option line of an agent cell. Names of the notebook, there and after `@` in the task, come from the kernel's own
// completer once smolcell is loaded; `openOnNames` in agent-language.ts invokes it.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import type { CompletionHandler, ICompletionContext, ICompletionProvider } from "@jupyterlab/completer";
import { ICompletionProviderManager } from "@jupyterlab/completer";

import { completeOptions, isAgentCell } from "./option-line";

type Item = CompletionHandler.ICompletionItem;
type Change = Parameters<NonNullable<ICompletionProvider["shouldShowContinuousHint"]>>[1];

export class OptionCompleter implements ICompletionProvider {
  readonly identifier = "smolcell:options";
  readonly rank = 1100; // before the completions of the kernel and of the notebook's words
  readonly renderer = null;

  isApplicable({ editor }: ICompletionContext): Promise<boolean> {
    return Promise.resolve(editor != null && editor.getCursorPosition().line === 0 && isAgentCell(editor.model.sharedModel.getSource()));
  }

  /** Offsets are in characters, like the kernel's, not in UTF-16 units. */
  fetch({ text, offset }: CompletionHandler.IRequest): Promise<CompletionHandler.ICompletionItemsReply<Item>> {
    const before = [...text].slice(0, offset).join("");
    const { from, candidates } = completeOptions(before);
    const items = candidates.map(({ text: label, help }): Item => ({ label, insertText: label, type: label.startsWith("-") ? "option" : "value", documentation: help }));
    return Promise.resolve({ start: [...before.slice(0, from)].length, end: offset, items });
  }

  shouldShowContinuousHint(visible: boolean, changed: Change): boolean {
    const inserted = changed.sourceChange?.map(({ insert }) => insert ?? "").join("") ?? "";
    return !visible && /^[-\w]$/.test(inserted);
  }
}

export const complete: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:complete",
  description: "Completes the options of an %%agent cell.",
  autoStart: true,
  requires: [ICompletionProviderManager],
  activate: (_app: JupyterFrontEnd, completers: ICompletionProviderManager): void => completers.registerProvider(new OptionCompleter()),
};
