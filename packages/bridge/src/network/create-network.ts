import { trustAlso, viaProxy } from "@recourse/wire/node";
import { Agent, buildConnector } from "undici";
import type { ApiRequest } from "../request/build-request.ts";
import { checkedLookup, createHostCheck, literalAddress, systemResolve } from "./addresses.ts";
import { type ExchangeResult, type HttpReply, requestOnce } from "./exchange.ts";
import { createSemaphore, type NetworkLimits, type NetworkOptions, resolveLimits } from "./limits.ts";

/** Options for one request. */
export interface HttpSendOptions {
  /**
   * Aborts the request.
   *
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long the request may take with its redirects, in ms; the head of the reply may then take as long.
   *
   * @default the `deadlineMs` of the network
   */
  readonly timeoutMs?: number | undefined;
  /**
   * The address that redirects have to stay below.
   *
   * @default no redirect is followed
   */
  readonly base?: URL | undefined;
}

/** The HTTP client of a bridge: every request goes through it. */
export interface Network {
  readonly limits: NetworkLimits;
  /** Sends a request once and reads the reply. It never rejects. */
  send(request: ApiRequest, options?: HttpSendOptions): Promise<ExchangeResult>;
  /** Refuses new requests, and waits for the running ones. */
  close(): Promise<void>;
}

/** Makes a network with its own connections. */
export function createNetwork(options: NetworkOptions = {}): Network {
  const limits = resolveLimits(options);
  const hosts = createHostCheck(options.allowPrivate);
  const secureContext = trustAlso(options.ca);
  const direct = buildConnector({
    lookup: checkedLookup(options.lookup ?? systemResolve, hosts.resolved),
    timeout: limits.connectTimeoutMs,
    allowH2: false,
    ...(secureContext && { secureContext }),
  });
  const agent = new Agent({
    connect: viaProxy(direct, { proxy: options.proxy, timeoutMs: limits.connectTimeoutMs, secureContext }),
    connections: limits.concurrency,
    pipelining: 1,
    // Over HTTP/2 the client repeats requests by itself.
    allowH2: false,
  });
  const semaphore = createSemaphore({ permits: limits.concurrency, maxWaiting: limits.concurrency * 8 });
  let closing: Promise<void> | undefined;

  async function send(request: ApiRequest, { signal, timeoutMs, base }: HttpSendOptions = {}): Promise<ExchangeResult> {
    if (closing !== undefined) return { ok: false, failure: { code: "closed", sent: false } };
    const literal = literalAddress(request.url.hostname);
    if (literal !== undefined && !hosts.literal(literal))
      return { ok: false, failure: { code: "address_not_allowed", sent: false } };

    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), timeoutMs ?? limits.deadlineMs);
    const either = signal === undefined ? timer.signal : AbortSignal.any([signal, timer.signal]);
    const abortCode = () => (signal?.aborted === true ? "cancelled" : "timeout");
    try {
      const release = await semaphore.acquire(either);
      if (release === undefined) return { ok: false, failure: { code: "overloaded", sent: false } };
      try {
        const headersTimeoutMs = Math.max(limits.headersTimeoutMs, timeoutMs ?? 0);
        const exchangeOptions = {
          dispatcher: agent,
          limits: { ...limits, headersTimeoutMs },
          signal: either,
          abortCode,
        } as const;
        let result = await requestOnce(request, exchangeOptions);
        let next: ApiRequest | undefined = request;
        for (let hops = 0; hops < MAX_REDIRECTS; hops++) {
          if (!result.ok || base === undefined || options.redirects !== "same-origin") break;
          next = redirectedRequest(next, result.reply, base);
          if (next === undefined) break;
          result = await requestOnce(next, exchangeOptions);
        }
        return result;
      } finally {
        release();
      }
    } catch (cause) {
      // Only waiting for a permit rejects.
      const code = abortCode() === "timeout" ? "overloaded" : "cancelled";
      return { ok: false, failure: { code, sent: false, cause } };
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

const MAX_REDIRECTS = 3;

const REDIRECT_STATUSES = new Set([301, 302, 307, 308]);

/**
 * The request of a redirect that may be followed: GET or HEAD, to the same origin, below the same base. Any other redirect
 * is returned as a reply, because the request carries a credential.
 */
function redirectedRequest(request: ApiRequest, { status, headers }: HttpReply, base: URL): ApiRequest | undefined {
  const location = [headers["location"] ?? []].flat();
  const isReading = request.method === "GET" || request.method === "HEAD";
  if (!isReading || !REDIRECT_STATUSES.has(status) || location.length !== 1) return undefined;
  const url = URL.parse(location[0] ?? "", request.url.href);
  if (url === null || url.origin !== request.url.origin || url.username !== "" || url.password !== "") return undefined;
  const root = base.pathname.replace(/\/*$/, "/");
  if (!`${url.pathname}/`.startsWith(root)) return undefined;
  url.hash = "";
  return { ...request, url };
}
