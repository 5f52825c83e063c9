import { LATEST_REVISION, parseRevision, REVISIONS, type Revision, VERSION_KEY } from "../../dialects/mcp/table.ts";
import { type JsonObject, memberAt, objectAt } from "../../json/read.ts";

/** A message and the headers that it came with, whatever server received them. */
export interface Received {
  /** The value of a header, by its name in lower case. */
  header(name: string): string | null | undefined;
  /** The parsed message; undefined where it is not known. */
  readonly message: unknown;
}

/** The `_meta` of the message. */
export function metaIn(message: unknown): JsonObject | undefined {
  return objectAt(objectAt(message, "params"), "_meta");
}

/** The version of the protocol that the client names. */
export function requestedVersion(received: Received): unknown {
  return received.header("mcp-protocol-version") ?? memberAt(metaIn(received.message), VERSION_KEY);
}

/** The revision whose codes the client knows: by its header, else by the `_meta` of its message. */
export function revisionFor(received: Received): Revision {
  const named = requestedVersion(received);
  const known = REVISIONS.find((revision) => revision === named);
  if (known !== undefined) return known;
  const isDate = typeof named === "string" && /^\d{4}-\d{2}-\d{2}$/.test(named);
  // A client of a later revision is closest to the newest one.
  if (isDate && named > LATEST_REVISION) return LATEST_REVISION;
  const stated = memberAt(metaIn(received.message), VERSION_KEY);
  return stated === undefined ? parseRevision(undefined) : LATEST_REVISION;
}
