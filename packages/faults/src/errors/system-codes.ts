import { fetchFaultOf } from "./fetch-errors.ts";
import { peek, peekList, peekString } from "./peek.ts";
import { anytime, before, type SystemFault } from "./system-fault.ts";

/** Codes of Node, of undici, of Bun and of common HTTP clients. The system call decides if there is one. */
const SYSTEM_CODES: Readonly<Record<string, SystemFault>> = {
  ENOTFOUND: before("unknown_host"),
  EAI_NODATA: before("unknown_host"),
  EAI_NONAME: before("unknown_host"),
  EAI_AGAIN: before("unreachable"),
  EAI_FAIL: before("unreachable"),
  ECONNREFUSED: before("unreachable"),
  // Bun before 1.4. Bun 1.2 also gives it when it sent the request again, after a kept connection broke.
  ConnectionRefused: anytime("failed"),
  EADDRNOTAVAIL: before("unreachable"),
  UND_ERR_CONNECT_TIMEOUT: before("timeout"),
  UND_ERR_BPL_MISSING_UPSTREAM: before("unreachable"),
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
  DEPTH_ZERO_SELF_SIGNED_CERT: before("certificate"),
  SELF_SIGNED_CERT_IN_CHAIN: before("certificate"),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: before("certificate"),
  UNABLE_TO_GET_ISSUER_CERT: before("certificate"),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: before("certificate"),
  HOSTNAME_MISMATCH: before("certificate"),
  INVALID_CA: before("certificate"),
  ERR_TLS_CERT_ALTNAME_INVALID: before("certificate"),
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

/** Families of codes that share a prefix. */
const CODE_FAMILIES: readonly (readonly [prefix: string, fault: SystemFault])[] = [
  // A certificate is checked before the request is sent.
  ["CERT_", before("certificate")],
  ["ERR_TLS_", anytime("tls")],
  ["ERR_SSL_", anytime("tls")],
  ["HPE_", anytime("bad_reply")],
];

/** System calls that come before a request is sent. */
const EARLY_CALLS: readonly string[] = ["connect", "getaddrinfo"];

const MAX_CAUSES = 8;

/** The failure that the code and system call of an error mean. Its causes are not read. */
export function systemFaultOf(error: unknown): SystemFault | undefined {
  const code = peekString(error, "code");
  const known = code === undefined ? undefined : faultOfCode(code);
  const early = EARLY_CALLS.includes(peekString(error, "syscall") ?? "");
  if (early) return before(known?.failure ?? "unreachable");
  if (code !== undefined) return known;
  // Errors of the HTTP parser of undici often have no code.
  return peekString(error, "name") === "HTTPParserError" ? anytime("bad_reply") : fetchFaultOf(error);
}

/** The failure of an error or of the first of its causes that is known: `fetch` throws a TypeError with a cause. */
export function findSystemFault(error: unknown): SystemFault | undefined {
  let at = error;
  for (let depth = 0; depth < MAX_CAUSES && at !== undefined; depth += 1) {
    const found = systemFaultOf(at) ?? commonFault(peekList(at, "errors", 20));
    if (found !== undefined) return found;
    at = peek(at, "cause");
  }
  return undefined;
}

/** The failure of several attempts to connect. The request was not sent only if none of them sent it. */
function commonFault(errors: readonly unknown[]): SystemFault | undefined {
  const found = errors.map(systemFaultOf);
  const first = found.find((one) => one !== undefined);
  if (first === undefined) return undefined;
  return found.every((one) => one?.unsent === true) ? first : anytime(first.failure);
}

function faultOfCode(code: string): SystemFault | undefined {
  if (Object.hasOwn(SYSTEM_CODES, code)) return SYSTEM_CODES[code];
  return CODE_FAMILIES.find(([prefix]) => code.startsWith(prefix))?.[1];
}
