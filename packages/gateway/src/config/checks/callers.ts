import { type Check, type Finding, problem, warning } from "./check.ts";

/** Who may call: somebody must be able to, each key is there once, and tokens need a public address. */
export const callersChecks: Check = function* (raw, isWritten) {
  const { authentication, keys = [], jwt, store } = raw;
  const hasCallers = isWritten("keys", 0) || isWritten("jwt");
  if (authentication === "none" && (isWritten("keys") || jwt !== undefined))
    yield problem(
      ["authentication"],
      "keys and jwt have no effect without authentication.",
      "Remove them, or write authentication: required.",
    );
  if (authentication === "required" && !hasCallers && store === "memory")
    yield problem(
      ["store"],
      "nobody can call: there is no key and no jwt.",
      "Run recourse keys add, or write authentication: none.",
    );
  if (jwt !== undefined && raw.publicUrl === undefined && !isWritten("publicUrl"))
    yield problem(
      ["jwt"],
      "tokens need publicUrl, so that callers learn where to get one.",
      "Write publicUrl: https://… with the address that callers use.",
    );
  yield* duplicates(keys, "id", "This id is written twice, so limits would count two callers as one.");
  yield* duplicates(keys, "sha256", "Two keys have the same hash, so they are the same key.");
  yield* unreachableTools(raw);
};

function* duplicates(
  keys: readonly { readonly id?: string; readonly sha256?: string }[],
  member: "id" | "sha256",
  message: string,
): Generator<Finding> {
  const seen = new Set<string>();
  for (const [at, key] of keys.entries()) {
    const value = key[member]?.toLowerCase();
    if (value === undefined) continue;
    if (seen.has(value)) yield problem(["keys", at, member], message, "Remove one of them, or give it another value.");
    seen.add(value);
  }
}

/** Tools that need what no caller of the file has. Tokens and keys of the database are not known here. */
function* unreachableTools({
  keys = [],
  jwt,
  store,
  tools = {},
  authentication,
}: Parameters<Check>[0]): Generator<Finding> {
  if (jwt !== undefined || (store !== "memory" && authentication === "required")) return;
  const scopes = new Set(keys.flatMap((key) => key.scopes));
  const entitlements = new Set(keys.flatMap((key) => key.entitlements));
  for (const [pattern, rule] of Object.entries(tools)) {
    if (rule.scopes.some((scope) => !scopes.has(scope)))
      yield warning(["tools", pattern, "scopes"], "no key has all of these scopes.", "Add them to keys[…].scopes.");
    if (rule.entitlement !== undefined && !entitlements.has(rule.entitlement))
      yield warning(["tools", pattern, "entitlement"], "no key has it.", "Add it to keys[…].entitlements.");
  }
}
