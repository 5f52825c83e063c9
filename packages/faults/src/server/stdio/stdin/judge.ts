import { isJson, memberAt, stringAt } from "../../../dialects/wire.ts";
import type { Fault } from "../../../fault/fault.ts";
import { invalid_encoding, message_too_large } from "../../../reasons/library/content.ts";
import { invalid_request, parse_error } from "../../../reasons/library/protocol.ts";
import type { Line } from "./lines.ts";

/** Why a line is not handed on, and the id of the request in it where there is one. */
export interface Refused {
  readonly fault: Fault;
  readonly id: string | number | undefined;
}

/** Whether a line is a message that a transport can read; undefined means that it is, or that it is blank. */
export function judge(line: Line, maxSize: number): Refused | undefined {
  if ("tooLong" in line) {
    const { size, skeleton } = line.tooLong;
    return { fault: message_too_large.fault({ actualSize: size, maxSize }), id: idOf(skeleton) };
  }
  const text = decoded(line.bytes);
  const value = parsed(text ?? new TextDecoder().decode(line.bytes));
  if (text === undefined) return { fault: invalid_encoding.fault({ encoding: "UTF-8" }), id: idOf(value) };
  if (value === undefined) return text.trim() === "" ? undefined : { fault: parse_error.fault(), id: undefined };
  return isMessage(value) ? undefined : { fault: invalid_request.fault(), id: idOf(value) };
}

/** The text of bytes that are UTF-8; a byte order mark is no part of JSON, so it stays and fails. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the SDK's transports take for a message; others they drop without a word. */
function isMessage(value: unknown): boolean {
  if (!isJson(value) || value["jsonrpc"] !== "2.0") return false;
  const { id, method, params } = value;
  if (id !== undefined && !isId(id)) return false;
  if (typeof method === "string") return params === undefined || isJson(params);
  return isJson(value["result"]) || isJson(value["error"]);
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || Number.isSafeInteger(id);
}

/** The id of a request; that of an answer is not for us to answer. */
function idOf(value: unknown): string | number | undefined {
  const id = memberAt(value, "id");
  return stringAt(value, "method") !== undefined && isId(id) ? id : undefined;
}
