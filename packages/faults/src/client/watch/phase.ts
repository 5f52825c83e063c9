import type { Phase } from "./watched.ts";

type Before = Extract<Phase, "connect" | "sent">;

/**
 * What a failure's code says of the request's bytes. A code that can also come after they were sent stays out, as does
 * every unknown one: both count as sent.
 */
const BY_CODE: Readonly<Record<string, Before>> = {
  ECONNREFUSED: "connect",
  ENOTFOUND: "connect",
  EAI_AGAIN: "connect",
  EAI_FAIL: "connect",
  EAI_NODATA: "connect",
  EAI_NONAME: "connect",
  UND_ERR_CONNECT_TIMEOUT: "connect",
  // A certificate is judged before the request is written.
  CERT_HAS_EXPIRED: "connect",
  CERT_NOT_YET_VALID: "connect",
  CERT_REVOKED: "connect",
  CERT_UNTRUSTED: "connect",
  CERT_REJECTED: "connect",
  CERT_CHAIN_TOO_LONG: "connect",
  CERT_SIGNATURE_FAILURE: "connect",
  DEPTH_ZERO_SELF_SIGNED_CERT: "connect",
  SELF_SIGNED_CERT_IN_CHAIN: "connect",
  UNABLE_TO_GET_ISSUER_CERT: "connect",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "connect",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "connect",
  INVALID_CA: "connect",
  HOSTNAME_MISMATCH: "connect",
  ERR_TLS_CERT_ALTNAME_INVALID: "connect",
  // A connection that was kept alive can be reset after the bytes have left.
  ECONNRESET: "sent",
  EPIPE: "sent",
  UND_ERR_SOCKET: "sent",
  UND_ERR_HEADERS_TIMEOUT: "sent",
  UND_ERR_BODY_TIMEOUT: "sent",
  UND_ERR_ABORTED: "sent",
} satisfies Record<string, Before>;

/** Calls to the system that come before any byte of a request. */
const BY_SYSCALL: Readonly<Record<string, Before>> = {
  connect: "connect",
  getaddrinfo: "connect",
} satisfies Record<string, Before>;

const DEEPEST = 8;

/** How far a request came that `fetch` rejected; what is not known counts as sent. */
export function phaseOf(error: unknown): Before {
  let link: unknown = error;
  for (let depth = 0; depth < DEEPEST && typeof link === "object" && link !== null; depth += 1) {
    const { code, syscall, errors, cause } = link as Readonly<Record<string, unknown>>;
    const found = at(BY_CODE, code) ?? at(BY_SYSCALL, syscall);
    if (found !== undefined) return found;
    // One address after the other was tried: none may have taken a byte.
    if (Array.isArray(errors)) return errors.length > 0 && errors.every(isConnect) ? "connect" : "sent";
    link = cause;
  }
  return "sent";
}

function isConnect(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as Readonly<Record<string, unknown>>;
  return (at(BY_CODE, code) ?? at(BY_SYSCALL, syscall)) === "connect";
}

function at(table: Readonly<Record<string, Before>>, key: unknown): Before | undefined {
  return typeof key === "string" && Object.hasOwn(table, key) ? table[key] : undefined;
}
