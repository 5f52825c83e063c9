import { onx } from "@recourse/dialects/onx";
import { type Dialect, mcp } from "@recourse/faults/dialects";

/** The dialects that failures can be sent in. */
const DIALECTS: Readonly<Record<string, Dialect<unknown>>> = {
  onx: onx as Dialect<unknown>,
  mcp: mcp as Dialect<unknown>,
};

/** A request selects its dialect in `_meta`, or in the query of its address. */
const DIALECT_KEY = "recourse/dialect";
const DIALECT_PARAM = "dialect";

/** The dialect of a request; onX's by default and for unknown names. */
export function dialectOf(meta: object, address: string | undefined): Dialect<unknown> {
  const named = [(meta as Record<string, unknown>)[DIALECT_KEY], dialectParam(address)];
  const name = named.find((one) => typeof one === "string" && Object.hasOwn(DIALECTS, one));
  return DIALECTS[String(name)] ?? (onx as Dialect<unknown>);
}

function dialectParam(address: string | undefined): string | null {
  return address === undefined ? null : new URL(address).searchParams.get(DIALECT_PARAM);
}
