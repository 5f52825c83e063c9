import { LATEST, REVISIONS, type Revision } from "../../dialects/mcp/revision.ts";
import { memberAt } from "../../dialects/wire.ts";
import { type Exchange, metaOf } from "./exchange.ts";

/** Where a request of the newer kind names its revision. */
export const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
/** What a client is taken for that names no revision, or one of the older kind that is not known here. */
const OLDER: Revision = "2025-11-25";

/** The revision whose codes a client knows: by its header, else by the envelope of its message. */
export function revisionFor(exchange: Exchange): Revision {
  const named = exchange.request.headers.get("mcp-protocol-version") ?? memberAt(metaOf(exchange), VERSION_KEY);
  const known = REVISIONS.find((revision) => revision === named);
  if (known !== undefined) return known;
  const isDate = typeof named === "string" && /^\d{4}-\d{2}-\d{2}$/.test(named);
  // A client from the future is nearer to the newest than to any other.
  if (isDate && named > LATEST) return LATEST;
  return memberAt(metaOf(exchange), VERSION_KEY) === undefined ? OLDER : LATEST;
}
