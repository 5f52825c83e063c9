// The revisions of MCP and what sets them apart. Nothing outside of this file compares a revision with a date: a condition
// asks one of the predicates below, so a new revision has to answer each of them here.

/** The revisions that Recourse serves, oldest first. */
export const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;

export type Revision = (typeof REVISIONS)[number];

/** The newest revision. */
export const LATEST_REVISION = "2026-07-28" satisfies Revision;

/** The newest revision that begins with `initialize`. */
export const LATEST_HANDSHAKE_REVISION = "2025-11-25" satisfies Revision;

/** The newest revision of each way to begin: with a handshake, and without. */
export const NEWEST_REVISIONS = [LATEST_HANDSHAKE_REVISION, LATEST_REVISION] as const;

interface Features {
  readonly handshake: boolean;
  readonly requestMeta: boolean;
  readonly messageHeaders: boolean;
  readonly resultTypes: boolean;
  readonly inputRequired: boolean;
  readonly listen: boolean;
  readonly reservedCodes: boolean;
}

const WITH_HANDSHAKE: Features = {
  handshake: true,
  requestMeta: false,
  messageHeaders: false,
  resultTypes: false,
  inputRequired: false,
  listen: false,
  reservedCodes: false,
};

const FEATURES: Readonly<Record<Revision, Features>> = {
  "2025-06-18": WITH_HANDSHAKE,
  "2025-11-25": WITH_HANDSHAKE,
  "2026-07-28": {
    handshake: false,
    requestMeta: true,
    messageHeaders: true,
    resultTypes: true,
    inputRequired: true,
    listen: true,
    reservedCodes: true,
  },
};

export const JSON_RPC_CODES: readonly number[] = [-32700, -32600, -32601, -32602, -32603];

/** The JSON-RPC codes that a server may send in each revision. */
export const LEGAL_CODES: Readonly<Record<Revision, readonly number[]>> = {
  "2025-06-18": [...JSON_RPC_CODES, -32002],
  "2025-11-25": [...JSON_RPC_CODES, -32002, -32042],
  "2026-07-28": [...JSON_RPC_CODES, -32020, -32021, -32022],
};

/** The HTTP status that a revision requires for a code. Every other error has status 200. */
export const FIXED_STATUS: Readonly<Record<Revision, Readonly<Record<number, number>>>> = {
  "2025-06-18": {},
  "2025-11-25": {},
  "2026-07-28": { [-32601]: 404, [-32020]: 400, [-32021]: 400, [-32022]: 400 },
};

/** Returns the revision of that name; every other version counts as the newest one that begins with `initialize`. */
export function parseRevision(version: string | undefined): Revision {
  return REVISIONS.find((one) => one === version) ?? LATEST_HANDSHAKE_REVISION;
}

// A revision that is not known has none of the features below.

/** Whether a conversation begins with `initialize`, and its requests depend on what was agreed there. */
export function hasHandshake(revision: Revision | undefined): boolean {
  return revision !== undefined && FEATURES[revision].handshake;
}

/** Whether each request states its version, its client and what the client can do in `_meta`. */
export function hasRequestMeta(revision: Revision | undefined): boolean {
  return revision !== undefined && FEATURES[revision].requestMeta;
}

/** Whether HTTP headers repeat the method of a message and the name it is about. */
export function hasMessageHeaders(revision: Revision | undefined): boolean {
  return revision !== undefined && FEATURES[revision].messageHeaders;
}

/** Whether each result says in `resultType` of which type it is. */
export function hasResultTypes(revision: Revision | undefined): boolean {
  return revision !== undefined && FEATURES[revision].resultTypes;
}

/** Whether a result can ask the client for input, in place of a request of the server. */
export function hasInputRequired(revision: Revision | undefined): boolean {
  return revision !== undefined && FEATURES[revision].inputRequired;
}

/** Whether clients learn about changes by `subscriptions/listen`. */
export function hasListen(revision: Revision | undefined): boolean {
  return revision !== undefined && FEATURES[revision].listen;
}

/** Whether codes from -32020 on have a fixed meaning, and the earlier codes -32002 and -32042 are retired. */
export function reservesCodes(revision: Revision | undefined): boolean {
  return revision !== undefined && FEATURES[revision].reservedCodes;
}

/** The names of all revisions that begin with `initialize`, also of those that Recourse only meets in servers, oldest first. */
export const HANDSHAKE_VERSIONS: readonly string[] = ["2024-11-05", "2025-03-26", ...REVISIONS.filter(hasHandshake)];

/** Whether tools can have output schemas in the version that was agreed on, whatever its name. */
export function hasOutputSchemas(version: string): boolean {
  return version >= "2025-06-18";
}

/** Whether the version says that an unknown tool is a protocol error, whatever its name. */
export function hasUnknownToolRule(version: string): boolean {
  return version >= "2025-06-18";
}

/** Whether the version says that wrong arguments are a tool error, whatever its name. */
export function hasInputErrorRule(version: string): boolean {
  return version >= "2025-11-25";
}

/** Whether a version is named like one that is newer than all known revisions. */
export function isLaterVersion(version: unknown): boolean {
  return typeof version === "string" && /^\d{4}-\d{2}-\d{2}$/.test(version) && version > LATEST_REVISION;
}
