import type { Fault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { NewestMap } from "@recourse/core/wire";
import type { GatewayConfig, Rate } from "../config/types.ts";

const MAX_LIMITED_ADDRESSES = 10_000;

/** Fractions of tokens add up inexactly; who waited as long as it was asked to is not refused for that. */
const ROUNDING = 1e-6;

/** Tokens of one address after its last call that passed, and when that was. */
interface Bucket {
  tokens: number;
  atMs: number;
}

/** Limits calls by the address that they come from, in this process only. */
export class AddressLimit {
  readonly #rate: Rate;
  readonly #now: () => number;
  /** The address that called least recently is forgotten first: it has gained the most tokens since. */
  readonly #buckets: NewestMap<string, Bucket>;
  #last = "";

  /** `now` is a monotonic clock in ms. */
  constructor(rate: Rate, now: () => number, maxAddresses = MAX_LIMITED_ADDRESSES) {
    this.#rate = rate;
    this.#now = now;
    this.#buckets = new NewestMap(maxAddresses);
  }

  /** A fault with the true wait if the address has called too often. `part` tells calls of one address apart. */
  take(address: string, part?: string): Fault | undefined {
    const now = this.#now();
    const group = addressGroup(address);
    const bucket = this.#bucketOf(part === undefined ? group : `${group} ${part}`, now);
    const tokens = this.#tokensOf(bucket, now);
    if (tokens < 1 - ROUNDING) return this.#refusal(tokens);
    bucket.tokens = Math.max(0, tokens - 1);
    bucket.atMs = now;
    return undefined;
  }

  #tokensOf({ tokens, atMs }: Bucket, now: number): number {
    const { perSecond, burst } = this.#rate;
    return Math.min(burst, tokens + ((now - atMs) * perSecond) / 1_000);
  }

  #refusal(tokens: number): Fault {
    const { perSecond, burst } = this.#rate;
    const afterMs = Math.ceil(((1 - tokens) * 1_000) / perSecond - ROUNDING);
    return core.rate_limited.fault(
      {},
      {
        effect: "none",
        retry: { allowed: true, afterMs },
        limits: [{ policy: "address", quota: burst, remaining: 0, resetMs: afterMs, scope: "address" }],
      },
    );
  }

  get size(): number {
    return this.#buckets.size;
  }

  #bucketOf(address: string, now: number): Bucket {
    const known = this.#buckets.get(address);
    if (known !== undefined) {
      if (address === this.#last) return known;
      this.#last = address;
      this.#buckets.set(address, known);
      return known;
    }
    this.#last = address;
    const fresh = { tokens: this.#rate.burst, atMs: now };
    this.#buckets.set(address, fresh);
    return fresh;
  }
}

/** One customer usually has a whole /64 of IPv6, so its addresses count together. */
function addressGroup(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%", 1).join("").split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array<string>(zeros).fill("0"), ...last].slice(0, 4).join(":");
}

export function createAddressLimit(
  { limits }: Pick<GatewayConfig, "limits">,
  now: () => number,
): AddressLimit | undefined {
  return limits.address === undefined ? undefined : new AddressLimit(limits.address, now);
}
