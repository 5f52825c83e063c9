import type { Fault } from "@recourse/faults";
import { LATEST_REVISION, type Revision, readOutcome, writeOutcome } from "@recourse/faults/internal-do-not-use";
import { valuesOf } from "../json/members.ts";

/** How a call ended: the result as the JSON that came, or the fault as it was sent. */
export type StoredOutcome = { readonly result: string } | { readonly fault: Fault };

const RESULT = '{"result":';

/** An outcome as the text that is stored. A result is not parsed: its numbers stay as they came. */
export function writeStored(outcome: StoredOutcome): string {
  return "result" in outcome ? `${RESULT}${outcome.result}}` : writeOutcome(outcome);
}

/** The outcome in a stored text; undefined where there is none. */
export function readStored(text: string): StoredOutcome | undefined {
  if (text.startsWith(RESULT) && text.endsWith("}")) return { result: text.slice(RESULT.length, -1) };
  const outcome = readOutcome(text);
  return outcome !== undefined && "fault" in outcome ? outcome : undefined;
}

/** The result in a JSON-RPC response; undefined where it has none. */
export function resultIn(response: Buffer): string | undefined {
  const span = valuesOf(response, 0, "result").at(-1);
  return span && response.toString("utf8", span.start, span.end);
}

const COMPLETE = '"resultType":"complete"';

/** The response with a stored result: for the message that asks now, and with the type that callers of the newer era expect. */
export function responseWith(result: string, id: string, revision: Revision | undefined): Buffer {
  const isTyped = revision !== LATEST_REVISION || valuesOf(Buffer.from(result), 0, "resultType").length > 0;
  const rest = result.slice(1).trimStart();
  const typed = isTyped ? result : `{${COMPLETE}${rest.startsWith("}") ? "" : ","}${rest}`;
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${typed}}`);
}
