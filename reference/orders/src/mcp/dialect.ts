import { type Dialect, mcp, onx } from "@recourse/faults/dialects";

/** The wires that failures can be written in; the system's own comes first. */
const DIALECTS: Readonly<Record<string, Dialect<unknown>>> = {
  onx: onx as Dialect<unknown>,
  mcp: mcp as Dialect<unknown>,
};

/** Where a request names its wire: in its `_meta`, or in the query of the address that a client was given. */
const DIALECT_KEY = "recourse/dialect";
const DIALECT_PARAM = "dialect";

/** The wire of a request; the system's own unless it names another that is known. */
export function dialectOf(meta: object, address: string | undefined): Dialect<unknown> {
  const named = [(meta as Record<string, unknown>)[DIALECT_KEY], paramOf(address)];
  const name = named.find((one) => typeof one === "string" && Object.hasOwn(DIALECTS, one));
  return DIALECTS[String(name)] ?? (onx as Dialect<unknown>);
}

function paramOf(address: string | undefined): string | null {
  return address === undefined ? null : new URL(address).searchParams.get(DIALECT_PARAM);
}
