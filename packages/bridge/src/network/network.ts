import { Agent } from "undici";
import type { HttpRequest } from "../request/request.ts";
import { addressCheck, literalAddress } from "./addresses.ts";
import { type Exchanged, exchange } from "./exchange.ts";
import { createGate } from "./gate.ts";
import { type Limits, limitsOf, type NetworkOptions } from "./limits.ts";
import { checkedLookup, resolveBySystem } from "./lookup.ts";
import { MOST_REDIRECTS, redirected } from "./redirect.ts";

/** What sending may be told. */
export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** For everything together, in the place of the network's own limit; the head of the answer may take as long. */
  readonly totalMs?: number | undefined;
  /** Where redirects have to stay below; none are followed without it. */
  readonly base?: URL | undefined;
}

/** The one way out: every request of a bridge goes through here. */
export interface Network {
  readonly limits: Limits;
  /** Sends a request once and reads its answer; never rejects. */
  send(request: HttpRequest, options?: SendOptions): Promise<Exchanged>;
  /** Takes no more requests, and waits for those under way. */
  close(): Promise<void>;
}

/** Opens a network with connections of its own. */
export function createNetwork(options: NetworkOptions = {}): Network {
  const limits = limitsOf(options);
  const isAllowed = addressCheck(options.allowPrivate);
  const agent = new Agent({
    connect: { lookup: checkedLookup(options.lookup ?? resolveBySystem, isAllowed), timeout: limits.connectMs },
    connections: limits.concurrency,
    pipelining: 1,
    // The other version of the protocol repeats requests by itself.
    allowH2: false,
  });
  const gate = createGate({ places: limits.concurrency, waiting: limits.concurrency * 8 });
  let closing: Promise<void> | undefined;

  async function send(request: HttpRequest, { signal, totalMs, base }: SendOptions = {}): Promise<Exchanged> {
    if (closing !== undefined) return { ok: false, failure: { why: "closed", sent: false } };
    const literal = literalAddress(request.url.hostname);
    if (literal !== undefined && !isAllowed(literal)) return { ok: false, failure: { why: "refused", sent: false } };

    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), totalMs ?? limits.totalMs);
    const either = signal === undefined ? timer.signal : AbortSignal.any([signal, timer.signal]);
    const whyAborted = () => (signal?.aborted === true ? "cancelled" : "late");
    try {
      const leave = await gate.enter(either);
      if (leave === undefined) return { ok: false, failure: { why: "busy", sent: false } };
      try {
        const headersMs = Math.max(limits.headersMs, totalMs ?? 0);
        const setting = { dispatcher: agent, limits: { ...limits, headersMs }, signal: either, whyAborted } as const;
        let ended = await exchange(request, setting);
        let next: HttpRequest | undefined = request;
        for (let hops = 0; hops < MOST_REDIRECTS; hops++) {
          if (!ended.ok || base === undefined || options.redirects !== "same-origin") break;
          next = redirected(next, ended.reply, base);
          if (next === undefined) break;
          ended = await exchange(next, setting);
        }
        return ended;
      } finally {
        leave();
      }
    } catch (cause) {
      // Only waiting for a place rejects.
      const why = whyAborted() === "late" ? "busy" : "cancelled";
      return { ok: false, failure: { why, sent: false, cause } };
    } finally {
      clearTimeout(timeout);
    }
  }

  return {
    limits,
    send,
    close() {
      closing ??= agent.close();
      return closing;
    },
  };
}
