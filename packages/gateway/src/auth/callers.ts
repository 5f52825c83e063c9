import type { Caller } from "../call/caller.ts";
import type { DialectName, KeyConfig } from "../config/types.ts";

export interface CallerFacts {
  /** Who vouches: `key`, `address`, or the issuer of a token. */
  readonly issuer: string;
  readonly tenant: string;
  readonly subject: string;
  readonly tools: readonly string[];
  readonly scopes: readonly string[];
  readonly entitlements: readonly string[];
  readonly dialect: DialectName | undefined;
  /** It showed a verified token of an issuer. @default false */
  readonly hasToken?: boolean;
}

/** The caller with these facts. Its id is a JSON list, so no choice of names makes two callers one. */
export function createCaller(facts: CallerFacts): Caller {
  return {
    id: JSON.stringify([facts.issuer, facts.tenant, facts.subject]),
    tenant: facts.tenant,
    subject: facts.subject,
    tools: facts.tools,
    scopes: new Set(facts.scopes),
    entitlements: new Set(facts.entitlements),
    dialect: facts.dialect,
    ...(facts.hasToken === true && { hasToken: true }),
  };
}

/** The caller of an API key. Keys with one tenant and id are one caller, so that a key can be replaced. */
export function callerForKey(key: Omit<KeyConfig, "sha256">): Caller {
  return createCaller({ ...key, issuer: "key", subject: key.id });
}

/** The tenant of callers without credentials. */
const ANONYMOUS_TENANT = "anonymous";

/** The caller at an address, if the gateway asks for no credentials. It has no scopes and no entitlements. */
export function callerAt(address: string): Caller {
  return createCaller({
    issuer: "address",
    tenant: ANONYMOUS_TENANT,
    subject: address,
    tools: ["*"],
    scopes: [],
    entitlements: [],
    dialect: undefined,
  });
}

export function isSameCaller(one: Caller, other: Caller): boolean {
  return (
    one.id === other.id &&
    one.dialect === other.dialect &&
    isSameList(one.tools, other.tools) &&
    isSameList([...one.scopes], [...other.scopes]) &&
    isSameList([...one.entitlements], [...other.entitlements])
  );
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
