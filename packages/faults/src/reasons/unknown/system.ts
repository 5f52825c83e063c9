import { cancelled, misconfigured, overloaded, timeout, unavailable, upstream_failed } from "../library/core.ts";
import { peekString } from "./peek.ts";
import { type Build, plain, type Recogniser } from "./recogniser.ts";

const gone = plain(unavailable);
const wrong = plain(misconfigured);
const late = plain(timeout);
const full = plain(overloaded);
const failed = plain(upstream_failed);

/** Codes of Node's system errors, of undici and of the common HTTP clients. */
const CODES: Readonly<Record<string, Build>> = {
  ECONNREFUSED: gone,
  ECONNRESET: gone,
  ECONNABORTED: gone,
  EPIPE: gone,
  EHOSTUNREACH: gone,
  EHOSTDOWN: gone,
  ENETUNREACH: gone,
  ENETDOWN: gone,
  ENETRESET: gone,
  EADDRNOTAVAIL: gone,
  EAI_AGAIN: gone,
  EAI_FAIL: gone,
  ENOTFOUND: wrong,
  EAI_NODATA: wrong,
  EAI_NONAME: wrong,
  ENOSPC: wrong,
  EDQUOT: wrong,
  EROFS: wrong,
  EPROTO: wrong,
  ETIMEDOUT: late,
  ESOCKETTIMEDOUT: late,
  EMFILE: full,
  ENFILE: full,
  ENOBUFS: full,
  EAGAIN: full,
  ERR_NETWORK: gone,
  ERR_CANCELED: plain(cancelled),
  ERR_BAD_RESPONSE: failed,
  ERR_HTTP2_STREAM_ERROR: gone,
  ERR_HTTP2_SESSION_ERROR: gone,
  ERR_HTTP2_GOAWAY_SESSION: gone,
  ERR_SOCKET_CONNECTION_TIMEOUT: late,
  UND_ERR_CONNECT_TIMEOUT: late,
  UND_ERR_HEADERS_TIMEOUT: late,
  UND_ERR_BODY_TIMEOUT: late,
  UND_ERR_SOCKET: gone,
  UND_ERR_CLOSED: gone,
  UND_ERR_DESTROYED: gone,
  UND_ERR_BPL_MISSING_UPSTREAM: gone,
  UND_ERR_PRX_CONN: gone,
  UND_ERR_ABORTED: plain(cancelled),
  UND_ERR_ABORT: plain(cancelled),
  UND_ERR_PRX_TLS: wrong,
  UND_ERR_INFO: gone,
  UND_ERR_RESPONSE: failed,
  UND_ERR_RESPONSE_STATUS_CODE: failed,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: failed,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: failed,
  UND_ERR_HEADERS_OVERFLOW: failed,
  UND_ERR_REQ_RETRY: failed,
  DEPTH_ZERO_SELF_SIGNED_CERT: wrong,
  SELF_SIGNED_CERT_IN_CHAIN: wrong,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: wrong,
  UNABLE_TO_GET_ISSUER_CERT: wrong,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: wrong,
  HOSTNAME_MISMATCH: wrong,
};

/** Families of codes that share a prefix. */
const FAMILIES: readonly (readonly [prefix: string, build: Build])[] = [
  ["CERT_", wrong],
  ["ERR_TLS_", wrong],
  ["ERR_SSL_", wrong],
  ["HPE_", failed],
];

/** System, socket, TLS and HTTP client errors, by their code. */
export const recogniseSystem: Recogniser = (value) => {
  const code = peekString(value, "code");
  // The parser of undici often gives no code.
  if (code === undefined) return peekString(value, "name") === "HTTPParserError" ? failed : undefined;
  if (Object.hasOwn(CODES, code)) return CODES[code];
  return FAMILIES.find(([prefix]) => code.startsWith(prefix))?.[1];
};
