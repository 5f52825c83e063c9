import type { Envelope } from "../json-spans.ts";
import type { Exit } from "./child.ts";

/** One message to a child. */
export interface Outgoing {
  readonly method: string;
  readonly params: Buffer;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Receives the progress of the call, with the token of its caller. */
  readonly onNotification?: ((message: Buffer) => void) | undefined;
  /** The caller's message: whose it is, and its id as JSON. By it a caller's own cancellation finds the call. */
  readonly from?: { readonly session: string; readonly id: string } | undefined;
}

/** How one message ended. */
export type Ended =
  | { readonly how: "answered"; readonly body: Buffer; readonly envelope: Envelope }
  /** It was never written. */
  | { readonly how: "unsent"; readonly why: "closed" | "full" }
  /** The child ended, or closed its pipes, before the answer came. */
  | { readonly how: "lost"; readonly exit: Exit | undefined }
  | { readonly how: "late" }
  | { readonly how: "aborted" }
  | { readonly how: "too_large"; readonly bytes: number };

const RETURN = 0x0d;
const NEWLINE = 0x0a;
const SPACE = 0x20;

/** A message as one line. */
export function lineOf(id: number | undefined, method: string, params: Buffer): Buffer {
  const name = JSON.stringify(method);
  const head = id === undefined ? `{"jsonrpc":"2.0",` : `{"jsonrpc":"2.0","id":${id},`;
  return Buffer.concat([Buffer.from(`${head}"method":${name},"params":`), withoutBreaks(params), Buffer.from("}\n")]);
}

/** JSON on one line. In JSON, breaks are never part of a value: in strings they are escaped. */
function withoutBreaks(json: Buffer): Buffer {
  if (!json.includes(NEWLINE) && !json.includes(RETURN)) return json;
  const copy = Buffer.from(json);
  for (const [at, byte] of copy.entries()) if (byte === NEWLINE || byte === RETURN) copy[at] = SPACE;
  return copy;
}

/** The answer to a request of a child. Nobody behind the gateway can be asked, so only a ping is answered. */
export function replyTo(method: string, id: string): Buffer {
  const outcome =
    method === "ping" ? `"result":{}` : `"error":{"code":-32601,"message":"The gateway does not offer this method."}`;
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},${outcome}}\n`);
}

/** The id in the first or last bytes of a response that was too long to be read whole. */
export function idAtEnds(head: Buffer, tail: Buffer): number | undefined {
  const first = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*,\s*"(?:result|error)"/.exec(
    String(head),
  );
  const last = /^\s*\{\s*"(?:result|error)"/.test(String(head))
    ? /,\s*"id"\s*:\s*(\d{1,15})\s*\}\s*$/.exec(String(tail))
    : null;
  const id = (first ?? last)?.[1];
  return id === undefined ? undefined : Number(id);
}
