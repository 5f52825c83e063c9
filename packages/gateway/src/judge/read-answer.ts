import { isUtf8 } from "node:buffer";
import { failureSign, mayBeFailure } from "@recourse/core/proxy";
import { isObject, type JsonObject, parseJson, stringAt } from "@recourse/core/wire";

/** Larger answers are parsed only if their bytes give a reason to. */
const SMALL_ANSWER = 16_384;

/** What the body of an answer with status 200 is. */
type ParsedAnswer =
  /** A result that is not marked as a failure. `result` is there if the body was parsed and is small. */
  | { readonly kind: "result"; readonly result: JsonObject | undefined }
  /** A result that asks the caller for input. */
  | { readonly kind: "input_required"; readonly result: JsonObject }
  /** A JSON-RPC error, or a result that is marked as a failure. */
  | { readonly kind: "failure"; readonly message: JsonObject }
  /** Not the answer to this message. */
  | { readonly kind: "invalid"; readonly why: string };

const LARGE_RESULT: ParsedAnswer = { kind: "result", result: undefined };

/** Reads the body of an answer. `id` is the id of the caller's message. */
export function readUpstreamAnswer(body: Buffer, id: string | number): ParsedAnswer {
  if (!isUtf8(body)) return invalidResponse("it is not UTF-8");
  const isSmall = body.length <= SMALL_ANSWER;
  if (!isSmall && isPlainResult(body, id)) return LARGE_RESULT;
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    return invalidResponse("it is not JSON");
  }
  if (!isObject(value) || value["jsonrpc"] !== "2.0") return invalidResponse("it is not a JSON-RPC response");
  return readResponse(value, { id, isSmall });
}

function readResponse(
  message: JsonObject,
  { id, isSmall }: { readonly id: string | number; readonly isSmall: boolean },
): ParsedAnswer {
  const { result, error } = message;
  const answered = message["id"];
  if (error !== undefined) {
    // A server that could not read the message does not know its id.
    const isOurs = answered === id || answered === undefined || answered === null;
    return isOurs ? { kind: "failure", message } : invalidResponse("it has another id");
  }
  if (answered !== id) return invalidResponse("it has another id");
  if (!isObject(result)) return invalidResponse("it has neither result nor error");
  const { isError } = result;
  // A client may take any value that counts as true for a failure.
  if (isError !== undefined && isError !== false && isError !== null) {
    return {
      kind: "failure",
      message: isError === true ? message : { ...message, result: { ...result, isError: true } },
    };
  }
  if (result["resultType"] === "input_required") return { kind: "input_required", result };
  return isSmall ? { kind: "result", result } : LARGE_RESULT;
}

function invalidResponse(why: string): ParsedAnswer {
  return { kind: "invalid", why };
}

/** Bytes that a failure or a request for input cannot do without. */
interface FailureSigns {
  /** What all of them have in common. It begins with a letter that is rare, since the search stops at each of them. */
  readonly rare: Buffer;
  readonly signs: readonly Buffer[];
}

/** The last one begins an escaped letter of a name. */
const FAILURE_SIGNS = [
  failureSigns('rror"', ['"isError"', '"error"']),
  failureSigns("_req", ["input_req"]),
  failureSigns("u00", ["\\u00"]),
];

/** The same for a task, which may only say that it has failed. */
const TASK_SIGNS = [...FAILURE_SIGNS, failureSigns('failed"', ['"failed"'])];

function failureSigns(rare: string, signs: readonly string[]): FailureSigns {
  return { rare: Buffer.from(rare), signs: signs.map((sign) => Buffer.from(sign)) };
}

function hasSign(body: Buffer, all: readonly FailureSigns[]): boolean {
  return all.some(({ rare, signs }) => body.includes(rare) && signs.some((sign) => body.includes(sign)));
}

/**
 * The value of a body about a task that is small, or shows a sign of a failure; undefined for others, and if it is not
 * JSON.
 */
export function parseSuspect(body: Buffer): unknown {
  if (body.length > SMALL_ANSWER && !hasSign(body, TASK_SIGNS)) return undefined;
  return parseJson(body.toString(), Number.POSITIVE_INFINITY);
}

/** Longer ids are not looked for in the bytes. */
const ENVELOPE_BYTES = 512;

/** Whether a large body is a result without any sign of a failure, as far as its bytes show. */
function isPlainResult(body: Buffer, id: string | number): boolean {
  if (hasSign(body, FAILURE_SIGNS)) return false;
  const start = body.toString("utf8", 0, ENVELOPE_BYTES);
  const end = body.toString("utf8", body.length - ENVELOPE_BYTES).trimEnd();
  const named = `"id":${JSON.stringify(id)}`;
  // The orders of members that are in use. Any other body is parsed.
  return (
    (start.startsWith(`{"jsonrpc":"2.0",${named},"result":{`) && end.endsWith("}}")) ||
    (start.startsWith('{"result":{') && end.endsWith(`},"jsonrpc":"2.0",${named}}`)) ||
    (start.startsWith('{"jsonrpc":"2.0","result":{') && end.endsWith(`},${named}}`))
  );
}

/** A result that says nothing of a failure and may be one. */
export interface HiddenFailure {
  /** The result in the form that decoders read. */
  readonly result: JsonObject;
  /** It has to be a failure, even if no decoder knows its form: it says so in words of its own. */
  readonly isGuess: boolean;
}

/**
 * Looks for a failure in a result that is not marked as one; undefined if nothing speaks for it. A flag alone, such as
 * `ok: false`, may be the answer of a check, so it counts only beside an error.
 */
export function findHiddenFailure(result: JsonObject): HiddenFailure | undefined {
  if (failureSign(result) === "flag") {
    const said = errorText(result["structuredContent"]) ?? errorText(parseJson(firstContentText(result)));
    if (said !== undefined)
      return { result: { ...result, isError: true, content: [{ type: "text", text: said }] }, isGuess: true };
  }
  return mayBeFailure(result) ? { result, isGuess: false } : undefined;
}

function errorText(value: unknown): string | undefined {
  const error = isObject(value) ? value["error"] : undefined;
  if (typeof error === "string") return error === "" ? undefined : error;
  return isObject(error) ? (stringAt(error, "message") ?? stringAt(error, "code") ?? "") : undefined;
}

function firstContentText({ content }: JsonObject): string | undefined {
  return Array.isArray(content) ? stringAt(content[0], "text") : undefined;
}
