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
const beforeSending = /* @__NO_SIDE_EFFECTS__ */ (failure: SystemFailure): SystemFault =>
  Object.freeze({ failure, unsent: true });
/** A failure that can also come later. */
const anytime = /* @__NO_SIDE_EFFECTS__ */ (failure: SystemFailure): SystemFault =>
  Object.freeze({ failure, unsent: false });

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

/**
 * Codes of Node, of undici, of Bun and of common HTTP clients, by what failed: such that only come before a request is sent, and
 * such that can also come later. The system call decides if there is one.
 */
const CODES_BY_FAILURE: Readonly<Record<"before" | "anytime", Partial<Readonly<Record<SystemFailure, string>>>>> = {
  before: {
    unknown_host: "ENOTFOUND EAI_NODATA EAI_NONAME",
    unreachable: "EAI_AGAIN EAI_FAIL ECONNREFUSED EADDRNOTAVAIL UND_ERR_BPL_MISSING_UPSTREAM",
    timeout: "UND_ERR_CONNECT_TIMEOUT",
    certificate:
      "DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE " +
      "UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY HOSTNAME_MISMATCH INVALID_CA " +
      "ERR_TLS_CERT_ALTNAME_INVALID",
  },
  anytime: {
    // A kept-alive connection can be reset after the request was sent. `ConnectionRefused` is of Bun before 1.4; Bun 1.2 also
    // gives it when it sent the request again, after a kept connection broke.
    failed: "ConnectionRefused",
    unreachable: "EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN",
    lost:
      "ENETRESET ECONNRESET ECONNABORTED EPIPE ERR_NETWORK ERR_HTTP2_STREAM_ERROR ERR_HTTP2_SESSION_ERROR " +
      "ERR_HTTP2_GOAWAY_SESSION UND_ERR_SOCKET UND_ERR_INFO UND_ERR_PRX_CONN",
    timeout: "ETIMEDOUT ESOCKETTIMEDOUT ERR_SOCKET_CONNECTION_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT",
    cancelled: "ERR_CANCELED UND_ERR_ABORTED UND_ERR_ABORT",
    closed: "UND_ERR_CLOSED UND_ERR_DESTROYED",
    overloaded: "EMFILE ENFILE ENOBUFS EAGAIN",
    storage: "ENOSPC EDQUOT EROFS",
    tls: "EPROTO UND_ERR_PRX_TLS",
    bad_reply:
      "ERR_BAD_RESPONSE UND_ERR_RESPONSE UND_ERR_RESPONSE_STATUS_CODE UND_ERR_RES_CONTENT_LENGTH_MISMATCH " +
      "UND_ERR_REQ_RETRY",
    reply_too_large: "UND_ERR_RES_EXCEEDED_MAX_SIZE UND_ERR_HEADERS_OVERFLOW",
    bad_call: "UND_ERR_INVALID_ARG UND_ERR_NOT_SUPPORTED",
  },
};

export const SYSTEM_CODES: Readonly<Record<string, SystemFault>> = /* @__PURE__ */ faultsByCode();

function faultsByCode(): Record<string, SystemFault> {
  const rows = (["before", "anytime"] as const).flatMap((when) =>
    (Object.entries(CODES_BY_FAILURE[when]) as [SystemFailure, string][]).flatMap(([failure, codes]) =>
      codes.split(" ").map((code) => [code, when === "before" ? beforeSending(failure) : anytime(failure)] as const),
    ),
  );
  return Object.fromEntries(rows);
}

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
