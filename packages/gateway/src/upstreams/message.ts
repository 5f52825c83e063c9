import type { Span } from "../json/skip.ts";
import { isTextAt } from "../json/text-at.ts";
import { type Envelope, hasMember } from "./json-spans.ts";

/** A JSON-RPC message around params that are not parsed. */
export function messageBody(id: string | undefined, method: string, params: Buffer): Buffer {
  const name = JSON.stringify(method);
  const head =
    id === undefined
      ? `{"jsonrpc":"2.0","method":${name},"params":`
      : `{"jsonrpc":"2.0","id":${id},"method":${name},"params":`;
  const headBytes = Buffer.byteLength(head);
  const body = Buffer.allocUnsafe(headBytes + params.length + 1);
  body.write(head);
  params.copy(body, headBytes);
  body[body.length - 1] = 0x7d;
  return body;
}

/** Whether an answer carries an id, both as JSON. */
export function isSameId(body: Buffer, { start, end }: Span, id: string): boolean {
  if (isTextAt(body, start, end, id)) return true;
  const text = body.toString("utf8", start, end);
  if (text === id) return true;
  try {
    return JSON.parse(text) === JSON.parse(id);
  } catch {
    return false;
  }
}

/** What is to be changed in an answer on its way to the caller. */
export interface AnswerEdits {
  /** The id of the caller's message, as JSON. */
  readonly id: string;
  /** A result without a type gets the type that all results have before 2026-07-28. */
  readonly typed: boolean;
}

const COMPLETE = '"resultType":"complete"';
const EMPTY_OBJECT = /^\{[\t\n\r ]*\}$/;

/** The answer with another id, and with the type of its result. All other bytes stay as they came. */
export function editAnswer(body: Buffer, envelope: Envelope, { id, typed }: AnswerEdits): Buffer {
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  if (envelope.id !== undefined) edits.push({ ...envelope.id, text: id });
  const { result } = envelope;
  if (typed && result !== undefined && body[result.start] === 0x7b && !hasMember(body, result.start, "resultType")) {
    const at = result.start + 1;
    const isEmpty =
      result.end - result.start < 64 && EMPTY_OBJECT.test(body.toString("latin1", result.start, result.end));
    edits.push({ start: at, end: at, text: isEmpty ? COMPLETE : `${COMPLETE},` });
  }
  edits.sort((one, other) => one.start - other.start);
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end, text } of edits) {
    parts.push(body.subarray(from, start), Buffer.from(text));
    from = end;
  }
  parts.push(body.subarray(from));
  return Buffer.concat(parts);
}
