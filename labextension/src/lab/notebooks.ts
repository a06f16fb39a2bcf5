// Notebooks as they open and close, and a notebook's kernel as it changes: what is attached to one goes with it.

import type { INotebookTracker, NotebookPanel } from "@jupyterlab/notebook";
import type { Kernel } from "@jupyterlab/services";
import { DisposableDelegate, type IDisposable } from "@lumino/disposable";

/** Attaches to each notebook, those that are open and those to come; disposes of it when the notebook closes. */
export function followNotebooks(tracker: INotebookTracker, attach: (panel: NotebookPanel) => IDisposable): void {
  const follow = (panel: NotebookPanel): void => {
    const attached = attach(panel);
    panel.disposed.connect(() => attached.dispose());
  };
  tracker.forEach(follow);
  tracker.widgetAdded.connect((_, panel) => follow(panel));
}

/** Attaches to the kernel that a notebook has, and to each later one; disposes of it when that is no longer its kernel. */
export function followKernels(panel: NotebookPanel, attach: (kernel: Kernel.IKernelConnection) => IDisposable): IDisposable {
  const context = panel.sessionContext;
  let attached: IDisposable | null = null;
  const take = (kernel: Kernel.IKernelConnection | null | undefined): void => {
    attached?.dispose();
    attached = kernel ? attach(kernel) : null;
  };
  const changed = (_: unknown, { newValue }: { newValue: Kernel.IKernelConnection | null }): void => take(newValue);
  context.kernelChanged.connect(changed);
  take(context.session?.kernel);
  return new DisposableDelegate(() => {
    context.kernelChanged.disconnect(changed);
    take(null);
  });
}

/** Hears an event that goes up from the notebook's cards. */
export function onCardEvent<T>(panel: NotebookPanel, name: string, hear: (event: CustomEvent<T>) => void): IDisposable {
  const listener = (event: Event): void => hear(event as CustomEvent<T>);
  panel.node.addEventListener(name, listener);
  return new DisposableDelegate(() => panel.node.removeEventListener(name, listener));
}

/** Offers the kernel a comm target. */
export function onComm(
  kernel: Kernel.IKernelConnection,
  target: string,
  opened: Parameters<Kernel.IKernelConnection["registerCommTarget"]>[1],
): IDisposable {
  kernel.registerCommTarget(target, opened);
  return new DisposableDelegate(() => {
    if (!kernel.isDisposed) kernel.removeCommTarget(target, opened);
  });
}
