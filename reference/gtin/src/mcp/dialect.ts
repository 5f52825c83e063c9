import { closient, type Dialect, mcp } from "@recourse/faults/dialects";

/** The wires that failures can be written in. */
const DIALECT_NAMES = ["closient", "mcp"] as const;
/** The name of one. */
export type DialectName = (typeof DIALECT_NAMES)[number];

/** Where a request names its wire: in its `_meta`, or in the query of the address that a client was given. */
const DIALECT_KEY = "recourse/dialect";
const DIALECT_PARAM = "dialect";

/** The wire of a request; the system's own unless it names another that is known. */
export function dialectNameOf(meta: unknown, address: string | undefined): DialectName {
  const named = [(meta as Record<string, unknown> | undefined)?.[DIALECT_KEY], paramOf(address)];
  return named.map(known).find((name) => name !== undefined) ?? "closient";
}

/** The wires themselves. */
export const DIALECTS = { closient, mcp: mcp as Dialect<unknown> } satisfies Record<DialectName, Dialect<unknown>>;

function known(name: unknown): DialectName | undefined {
  return DIALECT_NAMES.find((one) => one === name);
}

function paramOf(address: string | undefined): string | null {
  return address === undefined ? null : new URL(address).searchParams.get(DIALECT_PARAM);
}
