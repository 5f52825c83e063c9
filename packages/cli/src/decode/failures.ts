import { type Fault, FOREIGN_TEXT } from "@recourse/faults";
import { detect } from "@recourse/faults/dialects";
import {
  arrayAt,
  failureSign,
  type JsonObject,
  mayBeFailure,
  memberAt,
  objectAt,
  stringAt,
} from "@recourse/faults/internal-do-not-use";
import type { Message } from "./messages.ts";

/** A failure in a log. */
export interface Failure {
  /** Absent for an answer that says success and reads like a failure. */
  readonly fault?: Fault;
  /** The dialect that it was written in. */
  readonly dialect?: string;
  /** How it was sent: `isError`, `error -32602`, `HTTP 429`, or `says success`. */
  readonly channel: string;
  /** The text as it was sent. It may hold anything. */
  readonly text: string;
}

/** Texts that begin so are about failures, whatever the result says. */
const FAILED_TEXT = /^\W{0,3}(?:Error|Exception|Failed|Fatal|Traceback)\b/;

/** Data without a text is shown up to this length. */
const MAX_DATA = 500;

/** The failure in an answer. Undefined for a success, a request and a notification. */
export function failureIn(
  { body, http }: Message,
  context: { readonly method?: string; readonly tool?: string },
): Failure | undefined {
  if (typeof body["method"] === "string") return undefined;
  const result = objectAt(body, "result") ?? body;
  const hasStatus = http !== undefined && http.status >= 400;
  if (hasStatus || "error" in body || mayBeFailure(result)) {
    const wire = hasStatus ? { ...http, body } : body;
    const found = detect(wire, { ...context, textPolicy: FOREIGN_TEXT });
    if (found !== undefined) return { ...found, channel: channelOf(body, http?.status), text: textOf(body) };
  }
  const text = textOf(body);
  const looksFailed = failureSign(result) !== undefined || FAILED_TEXT.test(text);
  return looksFailed ? { channel: "says success", text } : undefined;
}

function channelOf(body: JsonObject, status: number | undefined): string {
  const code = memberAt(objectAt(body, "error"), "code");
  if (typeof code === "number") return `error ${code}`;
  if (memberAt(objectAt(body, "result") ?? body, "isError") === true) return "isError";
  return status === undefined ? "result" : `HTTP ${status}`;
}

function textOf(body: JsonObject): string {
  const error = stringAt(objectAt(body, "error"), "message");
  const block = arrayAt(objectAt(body, "result") ?? body, "content").find((one) => stringAt(one, "type") === "text");
  const structured = objectAt(objectAt(body, "result") ?? body, "structuredContent");
  const data = structured === undefined ? "" : JSON.stringify(structured).slice(0, MAX_DATA);
  return error ?? stringAt(block, "text") ?? stringAt(body, "text") ?? data;
}
