// Validates the lists of variables in a kernel's sandboxes. All of it comes from a sandbox.

/** One variable, as `smolcell/executors/base.py` checks it. */
export interface SandboxVariable {
  readonly name: string;
  readonly type: string;
  readonly shape: readonly number[];
  /** Bytes; -1 if unknown. */
  readonly size: number;
  readonly text: string;
  /** The first rows of a table, as JSON. */
  readonly table: string;
  /** Whether the notebook has a variable of this name. */
  readonly taken: boolean;
}

/** The variables in the sandbox of a session; null while a step runs in it. */
export interface SandboxListing {
  readonly session: string;
  readonly variables: readonly SandboxVariable[] | null;
}

const MAX = { sessions: 20, variables: 200, name: 200, text: 1000, table: 500_000 };

/** The sessions in a kernel's message; invalid entries are ignored. */
export function readListings(value: unknown): SandboxListing[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX.sessions).flatMap((one: unknown): SandboxListing[] => {
    const { session, variables } = (one ?? {}) as Record<string, unknown>;
    if (!isText(session, MAX.name)) return [];
    return [{ session, variables: Array.isArray(variables) ? variables.slice(0, MAX.variables).filter(isListed) : null }];
  });
}

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

function isListed(value: unknown): value is SandboxVariable {
  const { name, type, shape, size, text, table, taken } = (value ?? {}) as Record<string, unknown>;
  const texts = isText(name, MAX.name) && NAME.test(name) && isText(type, MAX.name) && isText(text, MAX.text) && isText(table, MAX.table);
  return texts && Array.isArray(shape) && shape.length <= 8 && shape.every(Number.isSafeInteger) && Number.isSafeInteger(size) && typeof taken === "boolean";
}

function isText(value: unknown, max: number): value is string {
  return typeof value === "string" && value.length <= max;
}
