// While a step waits for an answer, nothing that comes from a sandbox changes its height: it would move the buttons under the pointer.

const RELEASED = "smolcell-released"; // an event of the window: each card has its own instance of this module

const held = new Set<() => void>();

/** Whether a step waits on the page. */
export function isStepWaiting(node: Node): boolean {
  return [document, node.getRootNode()].some((root) => "querySelector" in root && (root as ParentNode).querySelector(".smolcell-controls") !== null);
}

/** Calls `change`, which may change the height of `box`, now or when no step waits any more. Each function is called once. */
export function whenNoneWaits(box: Node, change: () => unknown): void {
  if (!isStepWaiting(box)) return void change();
  if (held.size === 0) window.addEventListener(RELEASED, release);
  held.add(() => box.isConnected && change());
}

/** Changes the heights that were held, if no step waits any more. */
export function releaseHeights(): void {
  window.dispatchEvent(new Event(RELEASED));
}

function release(): void {
  if (isStepWaiting(document)) return;
  const changes = [...held];
  held.clear();
  window.removeEventListener(RELEASED, release);
  for (const change of changes) change();
}
