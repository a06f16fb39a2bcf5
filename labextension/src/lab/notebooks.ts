// Attaches objects to notebooks and their kernels, and disposes of them with the notebook or kernel.

import type { INotebookTracker, NotebookPanel } from "@jupyterlab/notebook";
import type { Kernel } from "@jupyterlab/services";
import { DisposableDelegate, type IDisposable } from "@lumino/disposable";

/** Calls `attach` for each open and each later notebook; disposes of the result when the notebook closes. */
export function followNotebooks(tracker: INotebookTracker, attach: (panel: NotebookPanel) => IDisposable): void {
  const follow = (panel: NotebookPanel): void => {
    const attached = attach(panel);
    panel.disposed.connect(() => attached.dispose());
  };
  tracker.forEach(follow);
  tracker.widgetAdded.connect((_, panel) => follow(panel));
}

/** Calls `attach` for the notebook's kernel and each later one; disposes of the result when the kernel changes. */
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

/** Listens to an event that bubbles from the notebook's cards. */
export function onCardEvent<T>(panel: NotebookPanel, name: string, handle: (event: CustomEvent<T>) => void): IDisposable {
  const listener = (event: Event): void => handle(event as CustomEvent<T>);
  panel.node.addEventListener(name, listener);
  return new DisposableDelegate(() => panel.node.removeEventListener(name, listener));
}

/** Registers a comm target that the kernel can open. */
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
