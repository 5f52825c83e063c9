import { performance } from "node:perf_hooks";
import type { Observer } from "../../call/observer.ts";
import type { UpstreamConfig, UpstreamCredential } from "../../config/types.ts";
import { upstreamHolder } from "../../limits/shares.ts";
import type { UpstreamAccess } from "../connections.ts";
import { CallerTokens, type TokenSubject } from "./caller-tokens.ts";
import { KeptToken, type ShownToken, type TokenWait } from "./kept-token.ts";
import { type NoToken, noSubject, noToken } from "./token-faults.ts";
import { TokenService } from "./token-service.ts";

export interface UpstreamTokensParts {
  readonly observer: Pick<Observer, "switched" | "log" | "tokenRequested">;
  /** Monotonic time in ms. @default performance.now */
  readonly now?: (() => number) | undefined;
  /** Time of day in ms. @default Date.now */
  readonly clock?: (() => number) | undefined;
  /** How long one request to the token service may take. @default 10_000 */
  readonly timeoutMs?: number | undefined;
  /** Tokens of callers that are kept. @default 10_000 */
  readonly maxTokens?: number | undefined;
}

/** Whose message it is; the gateway's own have no subject. */
export interface MessageSender {
  readonly caller: TokenSubject["caller"];
  readonly subjectToken?: string | undefined;
  /** It goes out beside the caller's calls, such as the end of its session: a token that is kept is shown, or none. @default false */
  readonly isBeside?: boolean | undefined;
}

const MAX_CALLER_TOKENS = 10_000;
const SWEEP_MS = 60_000;
const OWN_GRANT = { kind: "own" } as const;

/** The tokens of an upstream whose credential is fetched; undefined if it has another one. */
export function createUpstreamTokens(config: UpstreamConfig, parts: UpstreamTokensParts): UpstreamTokens | undefined {
  const { credential } = config;
  return isFetched(credential) ? new UpstreamTokens(config, credential, parts) : undefined;
}

export type FetchedCredential = Extract<UpstreamCredential, { readonly kind: "clientCredentials" | "exchange" }>;

/** Whether a credential is fetched, and so not known from the configuration. */
export function isFetched(credential: UpstreamCredential): credential is FetchedCredential {
  return credential.kind === "clientCredentials" || credential.kind === "exchange";
}

/**
 * The tokens that one upstream is shown. Messages of the gateway itself carry the gateway's own token. With `exchange` a
 * message of a caller carries a token that was made from the caller's, or is not sent.
 */
export class UpstreamTokens {
  readonly #service: TokenService;
  readonly #own: KeptToken;
  /** Undefined if all messages carry the gateway's own token. */
  readonly #callers: CallerTokens | undefined;
  readonly #sweeper: NodeJS.Timeout;
  readonly #ownId: string;

  constructor(
    config: UpstreamAccess & { readonly name: string },
    credential: FetchedCredential,
    parts: UpstreamTokensParts,
  ) {
    const { name } = config;
    const { observer, now = () => performance.now(), clock = Date.now, timeoutMs } = parts;
    const service = new TokenService({ upstream: name, client: credential, route: config, observer, now, timeoutMs });
    this.#service = service;
    this.#ownId = upstreamHolder(name).id;
    this.#own = new KeptToken({ service, key: "own", now, isRegistered: true });
    const maxTokens = parts.maxTokens ?? MAX_CALLER_TOKENS;
    this.#callers = credential.kind === "exchange" ? new CallerTokens({ service, maxTokens, now, clock }) : undefined;
    this.#sweeper = setInterval(() => this.#callers?.sweep(), SWEEP_MS).unref();
  }

  /** The token for a message; undefined stands for the gateway itself. It waits only if there is no token yet. */
  find(from: MessageSender | undefined, wait: TokenWait): TokenUse | NoToken | Promise<TokenUse | NoToken> {
    const callers = this.#callers;
    if (callers === undefined || from === undefined || from.caller.id === this.#ownId)
      return useToken(this.#own, this.#own.get(OWN_GRANT, wait));
    const { caller, subjectToken, isBeside } = from;
    if (isBeside === true) return useKept(callers.findLast(caller));
    // A message of a caller never goes out in the name of the gateway.
    if (subjectToken === undefined) return noSubject();
    const kept = callers.find({ caller, token: subjectToken });
    return useToken(kept, kept.get({ kind: "exchange", subjectToken }, wait));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#own.close();
    this.#callers?.close();
    await this.#service.close();
  }
}

/** A token with the way to say that the upstream refuses it. */
export interface TokenUse {
  readonly token: ShownToken;
  /** The upstream has refused it. True if another attempt makes sense. */
  refuse(): boolean;
}

/** The token that is kept, if it is still valid. None is fetched. */
function useKept(kept: KeptToken | undefined): TokenUse | NoToken {
  const token = kept?.current;
  return kept === undefined || token === undefined ? noSubject() : { token, refuse: () => kept.refuse(token) };
}

type Found = ReturnType<KeptToken["get"]>;

function useToken(kept: KeptToken, found: Found): TokenUse | NoToken | Promise<TokenUse | NoToken> {
  return found instanceof Promise ? found.then((got) => toShownToken(kept, got)) : toShownToken(kept, found);
}

function toShownToken(kept: KeptToken, got: Awaited<Found>): TokenUse | NoToken {
  if (typeof got === "symbol" || "outcome" in got) return noToken(got);
  return { token: got, refuse: () => kept.refuse(got) };
}
