// What the sandboxes of a kernel hold, as it says it. Read, never trusted: all of it comes from a sandbox.

/** One variable, as `smolcell/executors/base.py` checks it. */
export interface Listed {
  readonly name: string;
  readonly type: string;
  readonly shape: readonly number[];
  /** Bytes; -1 where unknown. */
  readonly size: number;
  readonly text: string;
  /** The first rows of a table, as JSON. */
  readonly table: string;
  /** The notebook has a variable of this name. */
  readonly taken: boolean;
}

/** What the sandbox of a session holds; null while a step runs in it. */
export interface Held {
  readonly session: string;
  readonly variables: readonly Listed[] | null;
}

const MOST = { sessions: 20, variables: 200, name: 200, text: 1000, table: 500_000 };

/** The sessions in a kernel's message; what is none is left out. */
export function readHeld(said: unknown): Held[] {
  if (!Array.isArray(said)) return [];
  return said.slice(0, MOST.sessions).flatMap((one: unknown): Held[] => {
    const { session, variables } = (one ?? {}) as Record<string, unknown>;
    if (!isText(session, MOST.name)) return [];
    return [{ session, variables: Array.isArray(variables) ? variables.slice(0, MOST.variables).filter(isListed) : null }];
  });
}

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

function isListed(said: unknown): said is Listed {
  const { name, type, shape, size, text, table, taken } = (said ?? {}) as Record<string, unknown>;
  const texts = isText(name, MOST.name) && NAME.test(name) && isText(type, MOST.name) && isText(text, MOST.text) && isText(table, MOST.table);
  return texts && Array.isArray(shape) && shape.length <= 8 && shape.every(Number.isSafeInteger) && Number.isSafeInteger(size) && typeof taken === "boolean";
}

function isText(value: unknown, most: number): value is string {
  return typeof value === "string" && value.length <= most;
}
