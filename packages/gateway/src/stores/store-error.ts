import { stringAt } from "@recourse/core/wire";

/** A store that the configuration names cannot be used. The message is for the operator, and contains no credential. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";

  constructor(where: string, cause: unknown) {
    super(`${where} cannot be used: ${explainError(cause)}.`);
  }
}

/** Codes of Node and PostgreSQL, and the first words of answers of Redis. */
const ERROR_MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the name of the host cannot be resolved at the moment",
  ETIMEDOUT: "it does not answer",
  ECONNRESET: "it closed the connection",
  "28P01": "it does not accept the password",
  "28000": "it does not accept this user",
  "25006": "it is a standby that cannot be written to",
  "42501": "this user may not create or change tables",
  "3D000": "there is no such database",
  "53300": "it has no free connection",
  RG001: "a newer version of the gateway has removed what this version uses; run that one, or the version before it",
  "55P03": "a query uses a table that has to be changed; start again when it has ended",
  WRONGPASS: "it does not accept the password",
  NOAUTH: "it asks for a password",
  NOPERM: "this user may not run scripts or INFO",
  ERR: "it refused a command",
};

/** Why a store cannot be used. Texts of the store are not repeated: they may name users, and drivers put addresses in. */
function explainError(cause: unknown): string {
  const code = stringAt(cause, "code") ?? /^[A-Z]{2,}\b/.exec(stringAt(cause, "message") ?? "")?.[0];
  if (code === undefined)
    return cause instanceof Error && /timeout/i.test(cause.message) ? "it does not answer" : "it failed";
  return ERROR_MEANINGS[code] ?? `it failed with ${code}`;
}

/** Host and port of a URL, without credentials. */
export function readAddress(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "an address that is not a URL";
}

/** What an operator needs to know of an error: its code, or its name. Texts may contain credentials and addresses. */
export function errorCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return error instanceof Error ? error.name : "unknown";
}
