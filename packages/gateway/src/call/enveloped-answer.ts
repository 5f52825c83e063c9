import type { Call } from "./call.ts";
import { callerDialect } from "./caller.ts";
import { skipSpace, valuesOf } from "./json-bytes.ts";
import { withMetaMember } from "./json-edit.ts";

/**
 * A response as its caller gets it: with the envelope of a success if the dialect of the caller has one for every call.
 */
export function envelopedAnswer(call: Pick<Call, "message" | "caller">, answer: Buffer): Buffer {
  const envelope = call.message?.method === "tools/call" ? callerDialect(call)?.envelope : undefined;
  if (envelope === undefined) return answer;
  const result = valuesOf(answer, skipSpace(answer, 0), "result").at(-1);
  return result === undefined ? answer : withMetaMember(answer, result.start, envelope.success);
}
