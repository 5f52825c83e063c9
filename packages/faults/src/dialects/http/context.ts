import type { DecodeContext } from "../dialect.ts";

/** What decoding an HTTP reply may be told about the request, the service and the reader. */
export interface HttpDecodeContext extends DecodeContext {
  /** Method of the HTTP request: an idempotent one may be repeated. */
  readonly httpMethod?: string | undefined;
  /** An idempotency key was sent, so the request may be repeated. */
  readonly keyed?: boolean | undefined;
  /** Time of the reply in ms, for dates; a `Date` header wins. Without either, dates say nothing. */
  readonly now?: number | undefined;
  /** `false`: the address holds no identifier, so a 404 means that the operation itself is missing. */
  readonly hasPathParams?: boolean | undefined;
  /** Whose credential was sent: with `own`, the caller has no part in its refusal. The caller's unless told. */
  readonly credential?: "own" | "caller" | undefined;
  /** Codes of the service whose names may be shown. */
  readonly declared?: readonly string[] | undefined;
  /** `quote`: what the service wrote is quoted, through the nets; else it stays hidden. */
  readonly text?: "hide" | "quote" | undefined;
  /** A success has to be JSON. */
  readonly expects?: "json" | undefined;
  /** The body was longer than the reader takes. */
  readonly truncated?: boolean | undefined;
  /** The service promises that what it answers with 503 was not processed. */
  readonly unprocessed503?: boolean | undefined;
}
