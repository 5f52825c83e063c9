import type { Fault } from "../../fault/fault.ts";
import { not_found } from "../../reasons/library/resource.ts";
import { keptCertainty } from "../certainty.ts";
import { quoteOf } from "../prose.ts";
import { codeFor, type McpContext } from "./channel.ts";
import { isBareResource } from "./encode.ts";

/**
 * Survives: everything, since the fault travels whole.
 * The one exception is a missing resource, whose data is exactly its URI: there the sentence becomes a quotation.
 */
export function keeps(fault: Fault, context: McpContext = {}): Fault {
  if (codeFor(fault, context) === undefined || !isBareResource(fault)) return fault;
  const uri = fault.params?.["uri"] as string;
  return not_found.fault({ uri }, { ...keptCertainty(fault, not_found), ...quoteOf(fault.message) });
}
