import type { JsonObject } from "@recourse/faults/internal-do-not-use";

/** One address of a name, and what became of connecting to it. */
export interface AddressSeen {
  readonly address: string;
  readonly ms: number;
  /** The system's code if it did not work, such as `ECONNREFUSED`. */
  readonly error?: string;
}

/** What came back for one HTTP request. Secrets are already replaced. */
export type HttpSeen =
  | HttpAnswer
  /** Bytes came, but not HTTP. */
  | { readonly kind: "not-http"; readonly bytes: Uint8Array; readonly ms: number }
  /** The connection was closed before an answer. */
  | { readonly kind: "closed"; readonly error: string; readonly ms: number }
  /** Nothing came within the limit. */
  | { readonly kind: "silent"; readonly ms: number };

/** An HTTP answer. */
export interface HttpAnswer {
  readonly kind: "answer";
  readonly status: number;
  /** Names are lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the body. */
  readonly body: string;
  /** JSON-RPC messages in it, of one body or of a stream of events. */
  readonly messages: readonly JsonObject[];
  /** Whether the body came to its end, was cut off, or was still open when the limit was reached. */
  readonly end: "complete" | "cut" | "open";
  /** When the headers came. */
  readonly headersMs: number;
  readonly ms: number;
}

/** The media type of an answer, without parameters. */
export function mediaTypeOf({ headers }: HttpAnswer): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** The response among the messages: the last one that has a result or an error. */
export function responseOf({ messages }: HttpAnswer): JsonObject | undefined {
  return messages.findLast((message) => "result" in message || "error" in message);
}
