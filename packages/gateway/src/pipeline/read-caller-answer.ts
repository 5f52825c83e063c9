import { hasHandshake, isObject, type JsonObject, type Revision } from "@recourse/core/wire";
import { JsonScanner } from "../call/json-scanner.ts";
import type { CallerAnswer, ServerAnswer } from "../call/server-request.ts";
import type { SpanProblem } from "./message-spans.ts";

/** Whether a message is an answer to a question, and no request: only callers of the older era are asked by one. */
export function isCallerAnswer(parsed: unknown, revision: Revision | undefined): parsed is JsonObject {
  if (!isObject(parsed) || Object.hasOwn(parsed, "method") || !Object.hasOwn(parsed, "id")) return false;
  const isResult = Object.hasOwn(parsed, "result");
  return isResult !== Object.hasOwn(parsed, "error") && parsed["jsonrpc"] === "2.0" && hasHandshake(revision);
}

/** The answer in a message that is one, as the bytes that came. `parsed` is what `JSON.parse` made of the same bytes. */
export function readCallerAnswer(bytes: Buffer, parsed: JsonObject): CallerAnswer | SpanProblem {
  const scanner = new JsonScanner(bytes);
  const members = scanner.object(parsed);
  if (scanner.problem !== undefined) return scanner.problem;
  const { id } = parsed;
  const value = members.find(({ name }) => name === "result" || name === "error");
  const sent = value && bytes.subarray(value.value.start, value.value.end);
  return { id: typeof id === "string" ? id : undefined, answer: sent && toServerAnswer(sent, parsed) };
}

function toServerAnswer(sent: Buffer, { result, error }: JsonObject): ServerAnswer | undefined {
  if (isObject(result)) return { result: sent };
  const isError = isObject(error) && Number.isSafeInteger(error["code"]) && typeof error["message"] === "string";
  return isError ? { error: sent } : undefined;
}
