import type { Fault } from "@recourse/core";
import { isSameText, sha256Hex } from "../call/binding.ts";
import type { Call, Step } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import type { RequestHead } from "../call/head.ts";
import type { Observer } from "../call/observer.ts";
import type { GatewayConfig, UpstreamOptions } from "../config/types.ts";
import type { KeyStore } from "../stores/keys.ts";
import { keySource } from "./api-keys.ts";
import { callerAt, callerForKey } from "./callers.ts";
import { type AuthClock, BoundedMap, SYSTEM_CLOCK, UNAUTHORIZED } from "./credential-cache.ts";
import { isToken, tokenSource } from "./tokens.ts";

/** Finds out who calls, or refuses. It waits only for what is not in memory. */
export type Authenticator = (head: RequestHead) => Caller | Fault | Promise<Caller | Fault>;

/** Finds out who calls, from the headers alone: a caller without credentials costs no body. */
export function authenticateCaller(authenticator: Authenticator): Step {
  return (call) => {
    const found = authenticator(call.origin.head);
    if (found instanceof Promise) return found.then((outcome) => acceptCaller(call, outcome));
    return acceptCaller(call, found);
  };
}

function acceptCaller(call: Parameters<Step>[0], found: Awaited<ReturnType<Authenticator>>) {
  if ("kind" in found) return found;
  call.caller = found;
  return undefined;
}

export interface OpenAuthenticator {
  readonly authenticator: Authenticator;
  close(): void;
}

interface AuthStores {
  /** The keys that all replicas share; undefined if only those of the file count. */
  readonly keys: KeyStore | undefined;
}

/** Makes the authenticator of a configuration: keys of the file, keys of the database, tokens, or nothing at all. */
export function createAuthenticator(
  config: Pick<GatewayConfig, "authentication" | "keys" | "keyCacheMs" | "jwt">,
  stores: AuthStores,
  observer: Pick<Observer, "switched" | "log">,
  clock: Partial<AuthClock> = {},
): OpenAuthenticator {
  if (config.authentication === "none") return { authenticator: anonymous(), close() {} };
  const parts = { observer, clock: { ...SYSTEM_CLOCK, ...clock }, keyCacheMs: config.keyCacheMs };
  // Found by digest: how long a search takes says something about digests, which nobody can steer, and nothing about keys.
  const fileKeys = new Map<string, Caller>(config.keys.map((key) => [key.sha256.toLowerCase(), callerForKey(key)]));
  const keys = stores.keys && keySource({ ...parts, keys: stores.keys });
  const tokens = config.jwt && tokenSource({ ...parts, jwt: config.jwt });
  const lastShown = new WeakMap<object, ShownCredential>();
  const authenticator: Authenticator = (head) => {
    const { connection } = head;
    const last = connection && lastShown.get(connection);
    const shown = last !== undefined && isShownAgain(last, head) ? last : readShown(head);
    if (shown === undefined) return UNAUTHORIZED;
    const { credential, digest } = shown;
    const source = shown.isToken ? tokens : keys;
    const found = fileKeys.get(digest) ?? source?.cache.find(credential, digest) ?? UNAUTHORIZED;
    // Only of good ones: what is refused is not worth keeping.
    if (shown !== last && connection !== undefined && "id" in found) lastShown.set(connection, shown);
    return found;
  };
  return {
    authenticator,
    close() {
      keys?.close();
    },
  };
}

/**
 * What the last good request of a connection showed, so that the next one with the same headers does not have to be read and
 * hashed. It says nothing about whether the credential is still good, and is forgotten when the connection closes.
 */
interface ShownCredential {
  readonly authorization: string | undefined;
  readonly key: string | undefined;
  readonly credential: string;
  readonly digest: string;
  readonly isToken: boolean;
}

function readShown(head: RequestHead): ShownCredential | undefined {
  const credential = readCredential(head);
  if (credential === undefined) return undefined;
  const [authorization, key] = [head.header("authorization"), head.header("x-api-key")];
  return { authorization, key, credential, digest: sha256Hex(credential), isToken: isToken(credential) };
}

function isShownAgain({ authorization, key }: ShownCredential, head: RequestHead): boolean {
  return isSameHeader(authorization, head.header("authorization")) && isSameHeader(key, head.header("x-api-key"));
}

/** A proxy may send requests of several callers through one connection, so the time must not say how much of a text is right. */
function isSameHeader(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined ? one === other : isSameText(one, other);
}

const MAX_ANONYMOUS_CALLERS = 10_000;

function anonymous(): Authenticator {
  const callers = new BoundedMap<Caller>(MAX_ANONYMOUS_CALLERS);
  return ({ address }) => {
    const known = callers.get(address);
    if (known !== undefined) return known;
    const caller = callerAt(address);
    callers.set(address, caller);
    return caller;
  };
}

/**
 * The token that a caller showed, for an upstream that is shown one made from it. Undefined for other upstreams, and for callers
 * that showed something else: a key, or nothing.
 */
export function readSubjectToken(
  { caller, origin }: Pick<Call, "caller" | "origin">,
  { credential }: Pick<UpstreamOptions, "credential">,
): string | undefined {
  return credential.kind === "exchange" && caller?.hasToken === true ? readCredential(origin.head) : undefined;
}

const BEARER_CREDENTIAL = /^bearer +([\x21-\x7e]+) *$/i;
const KEY_HEADER = /^[\x21-\x7e]+$/;
/** Longer ones are refused without being hashed. */
const MAX_CREDENTIAL_LENGTH = 8_192;

/**
 * The key or token that a request shows, in `Authorization: Bearer` or in `x-api-key`. Undefined if it is missing or
 * malformed, or if the two headers differ.
 */
export function readCredential(head: RequestHead): string | undefined {
  const authorization = head.header("authorization");
  const key = head.header("x-api-key");
  const bearer = authorization === undefined ? undefined : BEARER_CREDENTIAL.exec(authorization)?.[1];
  if (authorization !== undefined && bearer === undefined) return undefined;
  if (key !== undefined && (!KEY_HEADER.test(key) || (bearer !== undefined && bearer !== key))) return undefined;
  const credential = bearer ?? key;
  return credential === undefined || credential.length > MAX_CREDENTIAL_LENGTH ? undefined : credential;
}
