import { hash } from "node:crypto";
import type { Holder } from "../../call/caller.ts";
import { KeptToken } from "./kept-token.ts";
import type { TokenService } from "./token-service.ts";

/** A caller with the token that it showed to the gateway, which has verified it. */
export interface TokenSubject {
  readonly caller: Holder;
  readonly token: string;
}

interface CallerTokensOptions {
  readonly service: Pick<TokenService, "ask">;
  readonly maxTokens: number;
  /** Monotonic time in ms. */
  readonly now: () => number;
  /** Time of day in ms, which tokens name their end by. */
  readonly clock: () => number;
}

/** A caller that shows another token, such as one from a second device, keeps those of its last ones. */
const MAX_TOKENS_OF_CALLER = 4;

/** The tokens that were made from one caller's tokens, by the digest of those. The last used stands last. */
type TokensOfCaller = Map<string, KeptToken>;

/**
 * The tokens of callers for one upstream. If there are too many, the tenant that has the most loses those of the caller
 * who has used them least recently: no tenant pushes out the tokens of another that has fewer.
 */
export class CallerTokens {
  readonly #options: CallerTokensOptions;
  /** By tenant and caller. */
  readonly #tenants = new Map<string, Map<string, TokensOfCaller>>();
  #size = 0;

  constructor(options: CallerTokensOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#size;
  }

  find({ caller, token }: TokenSubject): KeptToken {
    const callers = this.#tenants.get(caller.tenant) ?? new Map<string, TokensOfCaller>();
    const tokens = callers.get(caller.id) ?? new Map<string, KeptToken>();
    const digest = hash("sha256", JSON.stringify([caller.id, token]), "base64");
    const known = tokens.get(digest);
    const kept = known ?? this.#create(caller.id, token);
    tokens.delete(digest);
    tokens.set(digest, kept);
    callers.delete(caller.id);
    callers.set(caller.id, tokens);
    this.#tenants.set(caller.tenant, callers);
    if (known !== undefined) return known;
    this.#size += 1;
    if (tokens.size > MAX_TOKENS_OF_CALLER) this.#dropFirst(tokens);
    if (this.#size > this.#options.maxTokens) this.#dropOne();
    return kept;
  }

  /** The place that a caller used last; undefined if it has none. */
  findLast({ id, tenant }: Holder): KeptToken | undefined {
    return [...(this.#tenants.get(tenant)?.get(id)?.values() ?? [])].at(-1);
  }

  sweep(): void {
    for (const [tenant, callers] of this.#tenants) {
      for (const [id, tokens] of callers) {
        for (const [digest, kept] of tokens) if (kept.isEmpty) this.#drop(tokens, digest);
        if (tokens.size === 0) callers.delete(id);
      }
      if (callers.size === 0) this.#tenants.delete(tenant);
    }
  }

  close(): void {
    this.#tenants.clear();
    this.#size = 0;
  }

  /** The key is the caller's, so that the failures of one caller's tokens do not look like those of several callers. */
  #create(key: string, subjectToken: string): KeptToken {
    const { service, now, clock } = this.#options;
    const endMs = readEnd(subjectToken);
    return new KeptToken({ service, key, now, maxLifeMs: () => endMs - clock() });
  }

  /** The tenant that has the most gives one up, of the caller who was not heard of for longest. */
  #dropOne(): void {
    let largest: Map<string, TokensOfCaller> | undefined;
    for (const callers of this.#tenants.values())
      if (largest === undefined || callers.size > largest.size) largest = callers;
    const [first] = largest ?? [];
    if (largest === undefined || first === undefined) return;
    const [id, tokens] = first;
    this.#dropFirst(tokens);
    if (tokens.size === 0) largest.delete(id);
  }

  #dropFirst(tokens: TokensOfCaller): void {
    const [digest] = tokens.keys();
    if (digest !== undefined) this.#drop(tokens, digest);
  }

  #drop(tokens: TokensOfCaller, digest: string): void {
    tokens.get(digest)?.close();
    if (tokens.delete(digest)) this.#size -= 1;
  }
}

/** When a token ends, in ms since 1970. It was verified before, and has such a time. */
function readEnd(token: string): number {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const { exp } = claims as { readonly exp?: unknown };
    return typeof exp === "number" ? exp * 1_000 : Number.NEGATIVE_INFINITY;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}
