import type { Fault } from "../../fault/fault.ts";
import { not_found } from "../../reasons/library/resource.ts";
import { carriedAfterRoundTrip } from "../carried-members.ts";
import { afterPeerRead } from "../peer-fault.ts";
import { unlessOwnText } from "../rpc.ts";
import { peerQuote } from "../sentence.ts";
import { isBareMissingResource, mcpErrorMessage } from "./encode.ts";
import { type McpContext, mcpCodeFor } from "./table.ts";

/**
 * The fault after a round trip: the same failure, with its texts as those of the server. A missing resource keeps less,
 * since its `data` is only its URI.
 */
export function mcpAfterRoundTrip(fault: Fault, context: McpContext = {}): Fault {
  if (mcpCodeFor(fault, context) === undefined || !isBareMissingResource(fault)) return afterPeerRead(fault);
  const params = { uri: fault.params?.["uri"] as string };
  const said = unlessOwnText(mcpErrorMessage(fault, context), not_found.fault(params));
  const carried = carriedAfterRoundTrip(fault);
  return not_found.fault(params, { ...carried, incident: undefined, ...peerQuote(said) });
}
