import { description_too_long } from "../../reasons/library/tool.ts";
import type { Reporter } from "../incidents/reporter.ts";
import type { PeerTool } from "../peer.ts";

/** The longest description that every client can be expected to take. */
const LONGEST = 10_000;
/** Over HTTP a server may live for one request only, so what was told is remembered beyond it; up to a limit. */
const told = new Set<string>();
const MOST_TOLD = 1_000;

/**
 * Tells the operator, once for each tool, of descriptions that some clients cut or refuse. They are listed as they are: the
 * protocol has no limit, and a text that was cut would mislead a model that could have read it whole.
 */
export function tellLongDescriptions(tools: Readonly<Record<string, PeerTool>>, reporter: Reporter): void {
  for (const [tool, { description = "" }] of Object.entries(tools)) {
    const actualLength = description.length;
    const what = `${actualLength} ${tool}`;
    if (actualLength <= LONGEST || told.has(what) || told.size >= MOST_TOLD) continue;
    told.add(what);
    const fault = description_too_long.fault({ actualLength, maxLength: LONGEST });
    reporter.tell(fault, undefined, { method: "tools/list", tool, context: undefined });
  }
}
