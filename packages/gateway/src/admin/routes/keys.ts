import { z } from "@hono/zod-openapi";
import { core } from "@recourse/core/reasons";
import { createApiKey } from "../../auth/api-keys.ts";
import { DIALECT_NAMES, type KeyConfig } from "../../config/types.ts";
import type { StoredApiKey } from "../../stores/keys.ts";
import { type AdminRoute, defineRoute, makeChange, pageOfAll, Refusal } from "../route.ts";
import { API_KEY, instant, pageLimit, pageOf, searchText } from "../schemas.ts";

/** Prefixes are short, and two keys can draw the same one. */
const TRIES = 5;
const MAX_NAMES = 100;

const names = (description: string) => z.array(searchText("A name.")).max(MAX_NAMES).describe(description);

const NEW_KEY = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
    .describe("A name for the caller. Keys with the same tenant and id are the same caller."),
  tenant: searchText("The tenant that it belongs to.").default("default"),
  tools: names("Patterns of the tools that it may see.").default(["*"]),
  scopes: names("Scopes of the caller.").optional(),
  entitlements: names("Entitlements of the caller.").optional(),
  dialect: z.enum(DIALECT_NAMES).describe("The error format that failures are written in for this caller.").optional(),
  expiresAt: instant("When the key expires. Without it: never.").optional(),
});

export const KEY_ROUTES: readonly AdminRoute[] = [
  defineRoute({
    method: "GET",
    path: "/keys",
    id: "listKeys",
    role: "admin",
    summary: "List the API keys of callers: those of the database, the newest first, then those of the file.",
    description: "Neither keys nor their digests are shown. Keys of operators are only in the file and are not listed.",
    query: z.strictObject({
      tenant: searchText("Only keys of this tenant.").optional(),
      state: API_KEY.shape.state.describe("Only keys in this state.").optional(),
      limit: pageLimit(50, 200),
      before: searchText("The `next` of the previous page.").optional(),
    }),
    answer: pageOf(API_KEY),
    async handle({ values }, { keys, config, now }) {
      const stored = (await keys?.list()) ?? [];
      const all = [...stored.map((key) => storedView(key, now())), ...config().keys.map(fileView)];
      const { tenant, state } = values;
      const wanted = all.filter(
        (key) => (tenant === undefined || key.tenant === tenant) && (state === undefined || key.state === state),
      );
      return pageOfAll(wanted, values, (key) => key.prefix ?? `${key.tenant}/${key.id}`);
    },
  }),
  defineRoute({
    method: "POST",
    path: "/keys",
    id: "addKey",
    role: "admin",
    summary: "Create an API key for a caller. The answer shows it, only this once.",
    description: "Needs PostgreSQL. With `store: memory` keys are lines of the file.",
    body: NEW_KEY,
    status: 201,
    answer: z.strictObject({
      key: z.string().describe("The key. It is not stored, and shown only now."),
      prefix: z.string().describe("The prefix by which you find and revoke the key."),
    }),
    async handle(request, parts) {
      const { keys } = parts;
      if (keys === undefined) return WITHOUT_DATABASE;
      const createdBy = request.operator?.id;
      const { id, tenant, tools, scopes = [], entitlements = [], dialect, expiresAt } = request.values;
      const facts = { id, tenant, tools, scopes, entitlements, dialect };
      const expires = expiresAt === undefined ? undefined : new Date(expiresAt);
      return makeChange(request, parts, {
        action: "key.add",
        target: `${facts.tenant}/${facts.id}`,
        facts: { ...facts, expiresAt },
        async make() {
          for (let tries = 0; tries < TRIES; tries++) {
            const { key, prefix, sha256 } = createApiKey();
            const row = { ...facts, prefix, sha256: Buffer.from(sha256, "hex") };
            if (await keys.add({ ...row, expires, createdBy })) return { key, prefix };
          }
          return new Refusal(core.busy.fault({}, { effect: "none" }));
        },
      });
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/keys/{key}",
    id: "revokeKey",
    role: "admin",
    summary: "Revoke an API key by its prefix, or all keys with an id.",
    description: "Every process refuses it within `keyCache`, 60 seconds unless the file says otherwise.",
    params: z.strictObject({ key: searchText("The prefix of a key, or the id of keys.") }),
    answer: z.strictObject({ revoked: z.array(z.string()).describe("The prefixes of the keys that were revoked.") }),
    async handle(request, parts) {
      const { keys } = parts;
      if (keys === undefined) return WITHOUT_DATABASE;
      const given = request.values.key;
      const known = (await keys.list()).some(
        (key) => (key.prefix === given || key.id === given) && key.revoked === undefined,
      );
      if (!known) return KEY_NOT_FOUND;
      return makeChange(request, parts, {
        action: "key.revoke",
        target: given,
        async make() {
          const revoked = await keys.revoke(given);
          return revoked.length === 0 ? KEY_NOT_FOUND : { revoked };
        },
      });
    },
  }),
];

const KEY_NOT_FOUND = new Refusal(core.not_found.fault({ what: "key" }, { effect: "none" }));
const WITHOUT_DATABASE = new Refusal(core.unsupported.fault({}, { effect: "none", recourse: [{ do: "stop" }] }));

interface KeyView extends Omit<KeyConfig, "sha256"> {
  readonly source: "database" | "file";
  readonly prefix?: string;
  readonly createdAt?: string;
  readonly createdBy?: string | undefined;
  readonly lastUsedAt?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly revokedAt?: string | undefined;
  readonly state: "good" | "expired" | "revoked";
}

function storedView(
  { prefix, id, tenant, tools, scopes, entitlements, dialect, ...key }: StoredApiKey,
  now: number,
): KeyView {
  const { created, createdBy, lastUsed, expires, revoked } = key;
  const isExpired = expires !== undefined && expires.getTime() <= now;
  return {
    ...{ source: "database", prefix, id, tenant, tools, scopes, entitlements, dialect },
    createdAt: created.toISOString(),
    createdBy,
    lastUsedAt: lastUsed?.toISOString(),
    expiresAt: expires?.toISOString(),
    revokedAt: revoked?.toISOString(),
    state: revoked !== undefined ? "revoked" : isExpired ? "expired" : "good",
  };
}

function fileView({ id, tenant, tools, scopes, entitlements, dialect }: KeyConfig): KeyView {
  return { source: "file", id, tenant, tools, scopes, entitlements, dialect, state: "good" };
}
