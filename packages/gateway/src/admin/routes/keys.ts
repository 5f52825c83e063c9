import { core } from "@recourse/faults";
import { mintKey } from "../../auth/key-format.ts";
import { DIALECT_NAMES, type KeyConfig } from "../../config/types.ts";
import type { StoredKey } from "../../stores/keys.ts";
import { makeChange } from "../change.ts";
import { pageOfAll } from "../paging.ts";
import { Refusal, type Route, type Schema } from "../route.ts";
import { choice, limit, list, object, pageOf, SCHEMAS, text, time } from "../schemas.ts";

/** Prefixes are short, and two keys can draw the same one. */
const TRIES = 5;
const MAX_NAMES = 100;

const names = (description: string): Schema => ({ ...list(text("A name.")), maxItems: MAX_NAMES, description });

const NEW_KEY = object(
  {
    id: {
      ...text("A name for the caller. Keys with one tenant and id are one caller.", 64),
      pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
    },
    tenant: { ...text("The tenant that it belongs to."), default: "default" },
    tools: { ...names("Patterns of the tools that it may see."), default: ["*"] },
    scopes: names("Scopes of the caller."),
    entitlements: names("Entitlements of the caller."),
    dialect: choice(DIALECT_NAMES, "The error format that failures are written in for this caller."),
    expiresAt: time("When it stops to be accepted. Without it: never."),
  },
  ["tenant", "tools", "scopes", "entitlements", "dialect", "expiresAt"],
);

/** Routes that show and change the API keys of callers. */
export const KEY_ROUTES = [
  {
    method: "GET",
    path: "/keys",
    id: "listKeys",
    role: "admin",
    summary: "List the API keys of callers: those of the database, the newest first, then those of the file.",
    description: "Neither keys nor their digests are shown. Keys of operators are in the file only and are not listed.",
    query: { limit: limit(50, 200), before: text("The `next` of the page before.") },
    answer: pageOf(SCHEMAS.Key),
    async handle({ values }, { keys, config, now }) {
      const stored = (await keys?.list()) ?? [];
      const all = [...stored.map((key) => storedView(key, now())), ...config().keys.map(fileView)];
      return pageOfAll(all, values, (key) => key.prefix ?? `${key.tenant}/${key.id}`);
    },
  },
  {
    method: "POST",
    path: "/keys",
    id: "addKey",
    role: "admin",
    summary: "Make an API key for a caller. The answer shows it, this once.",
    description: "Needs PostgreSQL. With `store: memory` keys are lines of the file.",
    body: NEW_KEY,
    status: 201,
    answer: object({
      key: { type: "string", description: "The key. It is stored nowhere and shown only now." },
      prefix: { type: "string", description: "What it is found and revoked by." },
    }),
    async handle(request, parts) {
      const { keys } = parts;
      if (keys === undefined) return WITHOUT_DATABASE;
      const { values } = request;
      const expires = values.time("expiresAt");
      const facts = {
        id: values.id("id"),
        tenant: values.text("tenant") ?? "default",
        tools: values.texts("tools") ?? ["*"],
        scopes: values.texts("scopes") ?? [],
        entitlements: values.texts("entitlements") ?? [],
        dialect: DIALECT_NAMES.find((name) => name === values.text("dialect")),
      };
      return makeChange(request, parts, {
        action: "key.add",
        target: `${facts.tenant}/${facts.id}`,
        facts: { ...facts, expiresAt: expires },
        async make() {
          for (let tries = 0; tries < TRIES; tries++) {
            const { key, prefix, sha256 } = mintKey();
            const row = { ...facts, prefix, sha256: Buffer.from(sha256, "hex") };
            const isAdded = await keys.add({ ...row, expires: expires === undefined ? undefined : new Date(expires) });
            if (isAdded) return { key, prefix };
          }
          return new Refusal(core.busy.fault({}, { effect: "none" }));
        },
      });
    },
  },
  {
    method: "DELETE",
    path: "/keys/{key}",
    id: "revokeKey",
    role: "admin",
    summary: "Revoke an API key by its prefix, or all keys with an id.",
    description: "Every process refuses it within `keyCache`, 60 seconds unless the file says otherwise.",
    params: { key: text("The prefix of a key, or the id of keys.") },
    answer: object({ revoked: list({ type: "string" }, "The prefixes of the keys that were revoked.") }),
    async handle(request, parts) {
      const { keys } = parts;
      if (keys === undefined) return WITHOUT_DATABASE;
      const given = request.values.id("key");
      const known = (await keys.list()).some(
        (key) => (key.prefix === given || key.id === given) && key.revoked === undefined,
      );
      if (!known) return NOT_FOUND;
      return makeChange(request, parts, {
        action: "key.revoke",
        target: given,
        async make() {
          const revoked = await keys.revoke(given);
          return revoked.length === 0 ? NOT_FOUND : { revoked };
        },
      });
    },
  },
] as const satisfies readonly Route[];

const NOT_FOUND = new Refusal(core.not_found.fault({ what: "key" }, { effect: "none" }));
const WITHOUT_DATABASE = new Refusal(core.unsupported.fault({}, { effect: "none", recourse: [{ do: "stop" }] }));

/** A key as it is shown. */
interface KeyView extends Omit<KeyConfig, "sha256"> {
  readonly source: "database" | "file";
  readonly prefix?: string;
  readonly createdAt?: string;
  readonly expiresAt?: string | undefined;
  readonly revokedAt?: string | undefined;
  readonly state: "good" | "expired" | "revoked";
}

function storedView(
  { prefix, id, tenant, tools, scopes, entitlements, dialect, ...key }: StoredKey,
  now: number,
): KeyView {
  const { created, expires, revoked } = key;
  const isExpired = expires !== undefined && expires.getTime() <= now;
  return {
    ...{ source: "database", prefix, id, tenant, tools, scopes, entitlements, dialect },
    createdAt: created.toISOString(),
    expiresAt: expires?.toISOString(),
    revokedAt: revoked?.toISOString(),
    state: revoked !== undefined ? "revoked" : isExpired ? "expired" : "good",
  };
}

function fileView({ id, tenant, tools, scopes, entitlements, dialect }: KeyConfig): KeyView {
  return { source: "file", id, tenant, tools, scopes, entitlements, dialect, state: "good" };
}
