import type { Fault } from "@recourse/core";
import type { ChildExit } from "@recourse/core/node";
import { core, tool, transport } from "@recourse/core/reasons";
import { onOneLine } from "../../call/json-edit.ts";
import type { UpstreamRequest } from "../../call/upstream.ts";
import { type Envelope, FROM_TRANSPORT, UNSENT_BY_GATEWAY } from "../message.ts";

export interface Outgoing {
  readonly method: string;
  readonly params: Buffer;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Receives the progress of the call, with the token of its caller, and what else the child says that is for its caller. */
  readonly onNotification?: ((message: Buffer) => void) | undefined;
  /** The caller's message: whose it is, and its id as JSON. By it a caller's own cancellation finds the call. */
  readonly from?: { readonly session: string; readonly id: string } | undefined;
  /** Asks its caller. @default the caller cannot be asked */
  readonly onRequest?: UpstreamRequest["onRequest"];
}

export type StdioEnding =
  | { readonly how: "answered"; readonly body: Buffer; readonly envelope: Envelope }
  /** It was never written. */
  | { readonly how: "unsent"; readonly why: "closed" | "full" }
  /** The child ended, or closed its pipes, before the answer came. */
  | { readonly how: "lost"; readonly exit: ChildExit | undefined }
  | { readonly how: "late" }
  | { readonly how: "aborted" }
  | { readonly how: "too_large"; readonly bytes: number };

export function encodeLine(id: number | undefined, method: string, params: Buffer): Buffer {
  const name = JSON.stringify(method);
  const head = id === undefined ? `{"jsonrpc":"2.0",` : `{"jsonrpc":"2.0","id":${id},`;
  return Buffer.concat([Buffer.from(`${head}"method":${name},"params":`), onOneLine(params), Buffer.from("}\n")]);
}

/** Bytes that are kept of both ends of a line over the limit, to see which message it answers. */
const END_BYTES = 256;
const NO_BYTES = Buffer.alloc(0);
const ID_FIRST = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*,\s*"(?:result|error)"/;
const RESULT_FIRST = /^\s*\{\s*"(?:result|error)"/;
const ID_LAST = /,\s*"id"\s*:\s*(\d{1,15})\s*\}\s*$/;

export class LineEnds {
  #head = NO_BYTES;
  #tail = NO_BYTES;

  add(piece: Uint8Array): void {
    const missing = END_BYTES - this.#head.length;
    if (missing > 0) this.#head = Buffer.concat([this.#head, piece.subarray(0, missing)]);
    // Copied, so that the pieces it came in can be freed.
    const before = piece.length < END_BYTES ? this.#tail : NO_BYTES;
    this.#tail = Buffer.from(Buffer.concat([before, piece.subarray(-END_BYTES)]).subarray(-END_BYTES));
  }

  /** The id of the response that the line is, if its first or last bytes show it. The next line begins. */
  takeId(): number | undefined {
    const [head, tail] = [String(this.#head), String(this.#tail)];
    this.#head = NO_BYTES;
    this.#tail = NO_BYTES;
    const last = RESULT_FIRST.test(head) ? ID_LAST.exec(tail) : null;
    const id = (ID_FIRST.exec(head) ?? last)?.[1];
    return id === undefined ? undefined : Number(id);
  }
}

interface EndedFacts {
  readonly timeoutMs: number;
  readonly maxLineBytes: number;
}

/** The fault of a message without an answer. */
export function endingFault(ended: Exclude<StdioEnding, { how: "answered" }>, facts: EndedFacts): Fault {
  switch (ended.how) {
    case "unsent":
      return ended.why === "full" ? busy() : unreachable();
    case "lost":
      return transport.connection_lost.fault({}, FROM_TRANSPORT);
    case "late":
      return core.timeout.fault({ timeoutMs: Math.round(facts.timeoutMs) }, { origin: { layer: "gateway" } });
    case "aborted":
      return core.cancelled.fault({}, { origin: { layer: "gateway" } });
    case "too_large":
      return tool.result_too_large.fault(
        { maxSize: facts.maxLineBytes },
        { origin: { layer: "upstream" }, effect: "possible" },
      );
    default:
      return ended satisfies never;
  }
}

/** The child does not run, and the message was not sent. */
export function unreachable(afterMs = 0): Fault {
  return transport.unreachable.fault({}, { ...FROM_TRANSPORT, ...(afterMs > 0 && { afterMs }) });
}

/** The command of the file cannot be run: waiting does not help. */
export function notRunnable(): Fault {
  return core.misconfigured.fault({}, { origin: { layer: "upstream" }, effect: "none" });
}

export function busy(): Fault {
  return core.overloaded.fault({}, { ...UNSENT_BY_GATEWAY, afterMs: 1_000 });
}

/** The time was over before the child was there. */
export function notSent(): Fault {
  return transport.not_sent.fault({}, FROM_TRANSPORT);
}

/** The caller left before the message was sent. */
export function cancelledUnsent(): Fault {
  return core.cancelled.fault({}, UNSENT_BY_GATEWAY);
}
