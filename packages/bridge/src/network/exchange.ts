import { promisify } from "node:util";
import { brotliDecompress, gunzip, type InputType, type ZlibOptions } from "node:zlib";
import { ProxyError } from "@recourse/core/node";
import { readSystemFault, type SystemFailure } from "@recourse/core/reasons";
import type { Dispatcher } from "undici";
import type { ApiRequest } from "../request/build-request.ts";
import { AddressNotAllowed } from "./addresses.ts";
import type { NetworkLimits } from "./limits.ts";

export type FailureCode =
  | "address_not_allowed"
  /** The setup is wrong: a host name that does not exist, a certificate that does not fit. */
  | "misconfigured"
  | "unreachable"
  | "connection_lost"
  | "timeout"
  /** The reply is not HTTP, or its content encoding cannot be decoded. */
  | "unreadable"
  | "too_large"
  /** Too many requests of this bridge run or wait. */
  | "overloaded"
  | "cancelled"
  | "closed";

export interface ExchangeFailure {
  readonly code: FailureCode;
  /** Whether any part of the request may have been sent. */
  readonly sent: boolean;
  readonly cause?: unknown;
}

export type BodyError = Extract<FailureCode, "connection_lost" | "timeout" | "unreadable" | "too_large" | "cancelled">;

/** The headers of a reply by their names in lower case. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface HttpReply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  /** The decompressed body; empty if there is a `bodyError`. */
  readonly body: Uint8Array;
  readonly bodyError?: BodyError;
}

export type ExchangeResult =
  | { readonly ok: true; readonly reply: HttpReply }
  | { readonly ok: false; readonly failure: ExchangeFailure };

interface ExchangeOptions {
  readonly dispatcher: Dispatcher;
  readonly limits: Pick<NetworkLimits, "headersTimeoutMs" | "bodyTimeoutMs" | "maxResponseBytes">;
  readonly signal: AbortSignal;
  readonly abortCode: () => "timeout" | "cancelled";
}

/** Sends a request once, and reads the reply within the limits. It never rejects. */
export async function requestOnce(request: ApiRequest, options: ExchangeOptions): Promise<ExchangeResult> {
  const received = await receiveReply(request, options);
  if (!received.ok || received.reply.bodyError !== undefined) return received;
  return { ok: true, reply: await decompress(received.reply, options.limits.maxResponseBytes) };
}

const EMPTY_BODY = new Uint8Array();

function receiveReply(
  request: ApiRequest,
  { dispatcher, limits, signal, abortCode }: ExchangeOptions,
): Promise<ExchangeResult> {
  const { url, method, headers, body } = request;
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let head: Pick<HttpReply, "status" | "headers"> | undefined;
    let size = 0;
    let sent = false;
    let stop = () => {};

    /** Only the first call has an effect: a promise resolves once. */
    function end(failure: ExchangeFailure | undefined): void {
      signal.removeEventListener("abort", onAbort);
      if (head === undefined) resolve({ ok: false, failure: failure ?? { code: "connection_lost", sent } });
      else if (failure === undefined) resolve({ ok: true, reply: { ...head, body: Buffer.concat(chunks) } });
      else resolve({ ok: true, reply: { ...head, body: EMPTY_BODY, bodyError: toBodyError(failure) } });
      stop();
    }
    const onAbort = () => end({ code: abortCode(), sent, cause: signal.reason });
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        // Some services refuse requests without a user agent.
        headers: { "user-agent": "recourse-bridge", ...headers, "accept-encoding": "gzip, br" },
        body: body ?? null,
        headersTimeout: limits.headersTimeoutMs,
        bodyTimeout: limits.bodyTimeoutMs,
      },
      {
        onRequestStart(controller) {
          stop = () => controller.abort(new Error("the answer is no longer wanted"));
          if (signal.aborted) stop();
          else sent = true;
        },
        onResponseStart(_, status, replyHeaders) {
          // Informational responses come before the final one.
          if (status >= 200) head = { status, headers: replyHeaders as ReplyHeaders };
        },
        onResponseData(_, chunk) {
          size += chunk.byteLength;
          if (size <= limits.maxResponseBytes) chunks.push(chunk);
          else end({ code: "too_large", sent });
        },
        onResponseEnd() {
          stop = () => {};
          end(undefined);
        },
        onResponseError(_, error) {
          stop = () => {};
          end(toExchangeFailure(error, sent));
        },
      },
    );
  });
}

/** A body has fewer ways to fail than a request; the others are lost connections. */
function toBodyError({ code }: ExchangeFailure): BodyError {
  return code === "timeout" || code === "too_large" || code === "cancelled" || code === "unreadable"
    ? code
    : "connection_lost";
}

type Decompressor = (data: InputType, options: Pick<ZlibOptions, "maxOutputLength">) => Promise<Uint8Array>;

const DECOMPRESSORS: Readonly<Record<string, Decompressor>> = {
  gzip: promisify(gunzip) as Decompressor,
  "x-gzip": promisify(gunzip) as Decompressor,
  br: promisify(brotliDecompress) as Decompressor,
};

/** Decompresses a body. The limit applies to the decompressed size: a few bytes can expand to a gigabyte. */
async function decompress(reply: HttpReply, maxBytes: number): Promise<HttpReply> {
  const { headers, body } = reply;
  const encoding = [headers["content-encoding"] ?? []].flat().join(",").trim().toLowerCase();
  if (encoding === "" || encoding === "identity" || body.byteLength === 0) return reply;
  const failed = (bodyError: BodyError) => ({ ...reply, body: EMPTY_BODY, bodyError });
  // Nested encodings are refused: their only use is to hide a size.
  const decompressor = Object.hasOwn(DECOMPRESSORS, encoding) ? DECOMPRESSORS[encoding] : undefined;
  if (decompressor === undefined) return failed("unreadable");
  try {
    return { ...reply, body: await decompressor(body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const isTooLarge = (error as { readonly code?: unknown }).code === "ERR_BUFFER_TOO_LARGE";
    return failed(isTooLarge ? "too_large" : "unreadable");
  }
}

export function firstHeader(headers: ReplyHeaders, name: string): string | undefined {
  return [headers[name] ?? []].flat()[0];
}

/** The code of each system failure; undefined if it depends on whether the request was sent. */
const CODE_BY_SYSTEM_FAILURE = {
  unknown_host: "misconfigured",
  unreachable: undefined,
  certificate: "misconfigured",
  tls: "misconfigured",
  lost: undefined,
  failed: undefined,
  timeout: "timeout",
  cancelled: "cancelled",
  closed: "closed",
  overloaded: "overloaded",
  storage: undefined,
  bad_reply: "unreadable",
  reply_too_large: "too_large",
  bad_call: "misconfigured",
} as const satisfies Record<SystemFailure, FailureCode | undefined>;

/** The failure behind an error of a connection. For an unknown error, `sent` decides. */
export function toExchangeFailure(cause: unknown, sent: boolean): ExchangeFailure {
  return { code: failureCode(cause) ?? (sent ? "connection_lost" : "unreachable"), sent, cause };
}

function failureCode(cause: unknown): FailureCode | undefined {
  if (cause instanceof AddressNotAllowed) return "address_not_allowed";
  if (cause instanceof ProxyError) return cause.isMisconfigured ? "misconfigured" : "unreachable";
  const found = readSystemFault(cause);
  // A connection that took too long was never made.
  if (found === undefined || (found.failure === "timeout" && found.unsent)) return undefined;
  return CODE_BY_SYSTEM_FAILURE[found.failure];
}
