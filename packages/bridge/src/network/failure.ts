import { RefusedAddress } from "./lookup.ts";

/** Why there is no answer. */
export type Why =
  /** The address is not one that may be reached. */
  | "refused"
  /** The set-up is wrong: a name that does not exist, a certificate that does not fit. */
  | "misconfigured"
  | "unreachable"
  /** The connection ended before the answer did. */
  | "lost"
  | "late"
  /** What came is no HTTP, or packed in a way that cannot be unpacked. */
  | "unreadable"
  | "too_large"
  /** Too many requests are under way already. */
  | "busy"
  /** The caller no longer waits. */
  | "cancelled"
  /** The bridge was closed. */
  | "closed";

/** A request without an answer. */
export interface Failure {
  readonly why: Why;
  /** Whether any of it may have left. */
  readonly sent: boolean;
  /** What was thrown, for the operator. */
  readonly cause?: unknown;
}

/** What went wrong with the body of an answer whose head came. */
export type Flaw = Extract<Why, "lost" | "late" | "unreadable" | "too_large" | "cancelled">;

/** Codes of Node and undici that mean the same before and after sending. */
const CODES: Readonly<Record<string, Why>> = {
  ENOTFOUND: "misconfigured",
  EAI_NODATA: "misconfigured",
  EAI_NONAME: "misconfigured",
  EPROTO: "misconfigured",
  DEPTH_ZERO_SELF_SIGNED_CERT: "misconfigured",
  SELF_SIGNED_CERT_IN_CHAIN: "misconfigured",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "misconfigured",
  UNABLE_TO_GET_ISSUER_CERT: "misconfigured",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "misconfigured",
  HOSTNAME_MISMATCH: "misconfigured",
  UND_ERR_INVALID_ARG: "misconfigured",
  UND_ERR_NOT_SUPPORTED: "misconfigured",
  UND_ERR_HEADERS_TIMEOUT: "late",
  UND_ERR_BODY_TIMEOUT: "late",
  UND_ERR_HEADERS_OVERFLOW: "too_large",
  UND_ERR_CLOSED: "closed",
  UND_ERR_DESTROYED: "closed",
};

const FAMILIES: readonly (readonly [prefix: string, why: Why])[] = [
  ["CERT_", "misconfigured"],
  ["ERR_TLS_", "misconfigured"],
  ["ERR_SSL_", "misconfigured"],
  ["HPE_", "unreadable"],
];

/** What an error of a connection means; an unknown one is told by whether the request had left. */
export function failureOf(cause: unknown, sent: boolean): Failure {
  return { why: whyOf(cause) ?? (sent ? "lost" : "unreachable"), sent, cause };
}

function whyOf(cause: unknown): Why | undefined {
  if (cause instanceof RefusedAddress) return "refused";
  const { code, name } = (cause ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  // The parser often gives no code.
  if (typeof code !== "string") return name === "HTTPParserError" ? "unreadable" : undefined;
  if (Object.hasOwn(CODES, code)) return CODES[code];
  return FAMILIES.find(([prefix]) => code.startsWith(prefix))?.[1];
}
