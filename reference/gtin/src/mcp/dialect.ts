import { closient } from "@recourse/dialects/closient";
import { type Dialect, mcp } from "@recourse/faults/dialects";

/** The dialects that failures can be sent in. */
const DIALECT_NAMES = ["closient", "mcp"] as const;
/** The name of a dialect. */
export type DialectName = (typeof DIALECT_NAMES)[number];

/** A request selects its dialect in `_meta`, or in the query of its address. */
const DIALECT_KEY = "recourse/dialect";
const DIALECT_PARAM = "dialect";

/** The dialect of a request; Closient's by default and for unknown names. */
export function dialectNameOf(meta: unknown, address: string | undefined): DialectName {
  const named = [(meta as Record<string, unknown> | undefined)?.[DIALECT_KEY], dialectParam(address)];
  return named.map(knownName).find((name) => name !== undefined) ?? "closient";
}

/** The dialects by name. */
export const DIALECTS = { closient, mcp: mcp as Dialect<unknown> } satisfies Record<DialectName, Dialect<unknown>>;

function knownName(name: unknown): DialectName | undefined {
  return DIALECT_NAMES.find((one) => one === name);
}

function dialectParam(address: string | undefined): string | null {
  return address === undefined ? null : new URL(address).searchParams.get(DIALECT_PARAM);
}
