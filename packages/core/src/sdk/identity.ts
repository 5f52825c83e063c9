// Who a request was authenticated as. Authenticators have no common form: claims of a token, a row of a table, an instance of
// a class. Members are therefore read under many names, also inherited ones, and a member that throws counts as absent.

import { member } from "./context.ts";

/** Names for a person or service, the most exact first. */
const SUBJECTS = /* @__PURE__ */ (
  "sub subject userId user_id userID uid oid id _id user username userName user_name preferred_username " +
  "login upn email principal principalId nameId nameID"
).split(" ");

/** Names for what a subject is unique in. All that are found count. */
const SCOPES = /* @__PURE__ */ (
  "iss issuer tid tenant tenantId tenant_id org orgId org_id organization organizationId " +
  "organization_id account accountId account_id workspace workspaceId workspace_id team teamId team_id " +
  "realm"
).split(" ");

const CLIENTS = ["clientId", "client_id", "azp"] as const;
const TOKEN_MEMBERS = ["token", "accessToken", "access_token", "apiKey", "api_key"] as const;
const TENANT_IDS = ["id", "slug", "name"] as const;

/** Members in which more is described, and that count before the object itself: the `id` of a user is that of a person. */
const INNER = ["user", "profile", "claims", "payload", "extra"] as const;
/** A member that counts after the object itself: the `id` of a session is not that of a person. */
const SESSION_MEMBER = "session";
const MAX_IDENTITY_DEPTH = 3;

type Fact = readonly [name: string, value: string];

/**
 * The facts that identify a caller: subject, issuer, tenant and client. One client often serves many people, so without a
 * subject the token counts. Undefined if there is neither. The facts may contain a token, so keep only a digest of them.
 */
export function callerFacts(auth: unknown): readonly Fact[] | undefined {
  const places = listPlaces(auth, MAX_IDENTITY_DEPTH);
  const find = (names: readonly string[]) =>
    names.map((name) => findFact(places, name)).filter((fact) => fact !== undefined);
  const who = find(SUBJECTS)[0] ?? find(TOKEN_MEMBERS)[0];
  return who === undefined ? undefined : [...find(SCOPES), ...find(CLIENTS).slice(0, 1), who];
}

/** The text of an id; undefined if the value is not an id. A number and the same number as text are one id. */
export function readIdText(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  // Larger numbers are not exact: two ids could read alike.
  return typeof value === "bigint" || Number.isSafeInteger(value) ? String(value) : undefined;
}

function listPlaces(value: unknown, depth: number): readonly object[] {
  if (typeof value !== "object" || value === null || depth < 0) return [];
  const inside = (name: string) => listPlaces(member(value, name), depth - 1);
  return [...INNER.flatMap(inside), value, ...inside(SESSION_MEMBER)];
}

function findFact(places: readonly object[], name: string): Fact | undefined {
  for (const place of places) {
    const value = member(place, name);
    const text = readIdText(value) ?? tenantText(name, value);
    if (text !== undefined) return [name, text];
  }
  return undefined;
}

/** A tenant may be an object with an id. */
function tenantText(name: string, value: unknown): string | undefined {
  if (!SCOPES.includes(name) || typeof value !== "object" || value === null) return undefined;
  return TENANT_IDS.map((id) => readIdText(member(value, id))).find((text) => text !== undefined);
}
