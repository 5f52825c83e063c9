import { peek, peekList, peekString } from "./peek.ts";

/** What happened in the system, the network or an HTTP client. Server, client and bridge share this list. */
export type SystemFailure =
  | "unknown_host"
  | "unreachable"
  | "certificate"
  | "tls"
  | "lost"
  /** The connection failed, and the runtime does not tell whether before or after the request was sent. */
  | "failed"
  | "timeout"
  | "cancelled"
  | "closed"
  | "overloaded"
  | "storage"
  | "bad_reply"
  | "reply_too_large"
  | "bad_call";

/** One failure. */
export interface SystemFault {
  /** What happened. */
  readonly failure: SystemFailure;
  /** Whether it proves that no byte of a request was sent. */
  readonly unsent: boolean;
}

/** A failure that only comes before a request is sent. */
const beforeSending = (failure: SystemFailure): SystemFault => Object.freeze({ failure, unsent: true });
/** A failure that can also come later. */
const anytime = (failure: SystemFailure): SystemFault => Object.freeze({ failure, unsent: false });

/** Errors of `fetch` that have no code, by their whole text. */
const MESSAGES: Readonly<Record<string, SystemFault>> = {
  // workerd and browsers say the same for a refused and for a lost connection.
  "Network connection lost.": anytime("failed"),
  "Failed to fetch": anytime("failed"),
  "NetworkError when attempting to fetch resource.": anytime("failed"),
  "Load failed": anytime("failed"),
  "error reading a body from connection": anytime("lost"),
};

/**
 * How Deno reports a request that failed. `Connect` does not mean that nothing was sent: when a kept connection breaks, Deno
 * sends the request again on a new one, and reports only that.
 */
const DENO = /^error sending request .*?: client error \((\w+)\)(: invalid peer certificate)?/s;
const DENO_LOST = /^(?:Connection reset by peer|Broken pipe) \(os error \d+\)$/;

/** The failure of an error of `fetch` without a code. Only Node and Bun give codes; elsewhere there is only the text. */
export function readFetchFault(error: unknown): SystemFault | undefined {
  const message = peekString(error, "message");
  if (message === undefined) return undefined;
  if (Object.hasOwn(MESSAGES, message)) return MESSAGES[message];
  const [, at, certificate] = DENO.exec(message) ?? [];
  if (certificate !== undefined) return anytime("certificate");
  if (at === "Connect") return anytime("failed");
  return at !== undefined || DENO_LOST.test(message) ? anytime("lost") : undefined;
}

/** Codes of Node, of undici, of Bun and of common HTTP clients. The system call decides if there is one. */
export const SYSTEM_CODES: Readonly<Record<string, SystemFault>> = {
  ENOTFOUND: beforeSending("unknown_host"),
  EAI_NODATA: beforeSending("unknown_host"),
  EAI_NONAME: beforeSending("unknown_host"),
  EAI_AGAIN: beforeSending("unreachable"),
  EAI_FAIL: beforeSending("unreachable"),
  ECONNREFUSED: beforeSending("unreachable"),
  // Bun before 1.4. Bun 1.2 also gives it when it sent the request again, after a kept connection broke.
  ConnectionRefused: anytime("failed"),
  EADDRNOTAVAIL: beforeSending("unreachable"),
  UND_ERR_CONNECT_TIMEOUT: beforeSending("timeout"),
  UND_ERR_BPL_MISSING_UPSTREAM: beforeSending("unreachable"),
  EHOSTUNREACH: anytime("unreachable"),
  EHOSTDOWN: anytime("unreachable"),
  ENETUNREACH: anytime("unreachable"),
  ENETDOWN: anytime("unreachable"),
  ENETRESET: anytime("lost"),
  // A kept-alive connection can be reset after the request was sent.
  ECONNRESET: anytime("lost"),
  ECONNABORTED: anytime("lost"),
  EPIPE: anytime("lost"),
  ERR_NETWORK: anytime("lost"),
  ERR_HTTP2_STREAM_ERROR: anytime("lost"),
  ERR_HTTP2_SESSION_ERROR: anytime("lost"),
  ERR_HTTP2_GOAWAY_SESSION: anytime("lost"),
  UND_ERR_SOCKET: anytime("lost"),
  UND_ERR_INFO: anytime("lost"),
  UND_ERR_PRX_CONN: anytime("lost"),
  ETIMEDOUT: anytime("timeout"),
  ESOCKETTIMEDOUT: anytime("timeout"),
  ERR_SOCKET_CONNECTION_TIMEOUT: anytime("timeout"),
  UND_ERR_HEADERS_TIMEOUT: anytime("timeout"),
  UND_ERR_BODY_TIMEOUT: anytime("timeout"),
  ERR_CANCELED: anytime("cancelled"),
  UND_ERR_ABORTED: anytime("cancelled"),
  UND_ERR_ABORT: anytime("cancelled"),
  UND_ERR_CLOSED: anytime("closed"),
  UND_ERR_DESTROYED: anytime("closed"),
  EMFILE: anytime("overloaded"),
  ENFILE: anytime("overloaded"),
  ENOBUFS: anytime("overloaded"),
  EAGAIN: anytime("overloaded"),
  ENOSPC: anytime("storage"),
  EDQUOT: anytime("storage"),
  EROFS: anytime("storage"),
  EPROTO: anytime("tls"),
  UND_ERR_PRX_TLS: anytime("tls"),
  DEPTH_ZERO_SELF_SIGNED_CERT: beforeSending("certificate"),
  SELF_SIGNED_CERT_IN_CHAIN: beforeSending("certificate"),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: beforeSending("certificate"),
  UNABLE_TO_GET_ISSUER_CERT: beforeSending("certificate"),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: beforeSending("certificate"),
  HOSTNAME_MISMATCH: beforeSending("certificate"),
  INVALID_CA: beforeSending("certificate"),
  ERR_TLS_CERT_ALTNAME_INVALID: beforeSending("certificate"),
  ERR_BAD_RESPONSE: anytime("bad_reply"),
  UND_ERR_RESPONSE: anytime("bad_reply"),
  UND_ERR_RESPONSE_STATUS_CODE: anytime("bad_reply"),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: anytime("bad_reply"),
  UND_ERR_REQ_RETRY: anytime("bad_reply"),
  UND_ERR_RES_EXCEEDED_MAX_SIZE: anytime("reply_too_large"),
  UND_ERR_HEADERS_OVERFLOW: anytime("reply_too_large"),
  UND_ERR_INVALID_ARG: anytime("bad_call"),
  UND_ERR_NOT_SUPPORTED: anytime("bad_call"),
};

const CODE_FAMILIES: readonly (readonly [prefix: string, fault: SystemFault])[] = [
  // A certificate is checked before the request is sent.
  ["CERT_", beforeSending("certificate")],
  ["ERR_TLS_", anytime("tls")],
  ["ERR_SSL_", anytime("tls")],
  ["HPE_", anytime("bad_reply")],
];

const EARLY_CALLS: readonly string[] = ["connect", "getaddrinfo"];

const MAX_SYSTEM_CAUSES = 8;

/** The failure that the code and system call of an error mean. Its causes are not read. */
export function readSystemFault(error: unknown): SystemFault | undefined {
  const code = peekString(error, "code");
  const known = code === undefined ? undefined : faultOfCode(code);
  const early = EARLY_CALLS.includes(peekString(error, "syscall") ?? "");
  if (early) return beforeSending(known?.failure ?? "unreachable");
  if (code !== undefined) return known;
  // Errors of the HTTP parser of undici often have no code.
  return peekString(error, "name") === "HTTPParserError" ? anytime("bad_reply") : readFetchFault(error);
}

/** The failure of an error or of the first of its causes that is known: `fetch` throws a TypeError with a cause. */
export function findSystemFault(error: unknown): SystemFault | undefined {
  let at = error;
  for (let depth = 0; depth < MAX_SYSTEM_CAUSES && at !== undefined; depth += 1) {
    const found = readSystemFault(at) ?? commonFault(peekList(at, "errors", 20));
    if (found !== undefined) return found;
    at = peek(at, "cause");
  }
  return undefined;
}

/** The failure of several attempts to connect. The request was not sent only if none of them sent it. */
function commonFault(errors: readonly unknown[]): SystemFault | undefined {
  const found = errors.map(readSystemFault);
  const first = found.find((one) => one !== undefined);
  if (first === undefined) return undefined;
  return found.every((one) => one?.unsent === true) ? first : anytime(first.failure);
}

function faultOfCode(code: string): SystemFault | undefined {
  if (Object.hasOwn(SYSTEM_CODES, code)) return SYSTEM_CODES[code];
  return CODE_FAMILIES.find(([prefix]) => code.startsWith(prefix))?.[1];
}

// Aborts and limits of time.

interface PlatformErrors {
  readonly DOMException?: { readonly prototype: object };
}

/** The name of a DOMException. It is behind a getter of the platform, which throws for any other object. */
function domExceptionName(error: unknown): string | undefined {
  const prototype = (globalThis as PlatformErrors).DOMException?.prototype;
  if (prototype === undefined) return undefined;
  try {
    // This check is much cheaper than a getter that throws.
    if (!Object.prototype.isPrototypeOf.call(prototype, error as object)) return undefined;
    const name: unknown = Reflect.getOwnPropertyDescriptor(prototype, "name")?.get?.call(error);
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Names of errors of the platform and of common HTTP clients. */
const ABORT_NAMES: Readonly<Record<string, "abort" | "timeout">> = {
  AbortError: "abort",
  CanceledError: "abort",
  CancelledError: "abort",
  APIUserAbortError: "abort",
  TimeoutError: "timeout",
};

const ABORT_CODES = ["ABORT_ERR", "ERR_CANCELED", "UND_ERR_ABORTED", "UND_ERR_ABORT"];

/** Whether an error says that something was aborted, or that a limit of time was reached; undefined for any other value. */
export function readAbort(error: unknown, names: readonly string[] = []): "abort" | "timeout" | undefined {
  const found = [domExceptionName(error), peekString(error, "name"), ...names].find(
    (name) => name !== undefined && Object.hasOwn(ABORT_NAMES, name),
  );
  if (found !== undefined) return ABORT_NAMES[found];
  return ABORT_CODES.includes(peekString(error, "code") ?? "") ? "abort" : undefined;
}
