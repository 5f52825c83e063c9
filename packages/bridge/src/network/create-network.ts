import { trustAlso, viaProxy } from "@recourse/core/node";
import { Agent, buildConnector } from "undici";
import type { ApiRequest } from "../request/build-request.ts";
import { checkedLookup, createHostCheck, literalAddress, systemResolve } from "./addresses.ts";
import { type ExchangeResult, type FailureCode, requestOnce } from "./exchange.ts";
import { createSemaphore, type NetworkLimits, type NetworkOptions, resolveLimits } from "./limits.ts";

export interface HttpSendOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long the request may take, instead of the `deadlineMs` of the network; the head of the reply may take as long. */
  readonly timeoutMs?: number | undefined;
}

/** The HTTP client of a bridge: every request goes through it. */
export interface Network {
  readonly limits: NetworkLimits;
  /** Sends a request once and reads the reply. It never rejects. */
  send(request: ApiRequest, options?: HttpSendOptions): Promise<ExchangeResult>;
  /** Refuses new requests, and waits for the running ones. */
  close(): Promise<void>;
}

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
  const runInTurn = createSemaphore({ permits: limits.concurrency, maxWaiting: limits.concurrency * 8 });
  let closing: Promise<void> | undefined;

  async function send(request: ApiRequest, { signal, timeoutMs }: HttpSendOptions = {}): Promise<ExchangeResult> {
    if (closing !== undefined) return notSent("closed");
    const literal = literalAddress(request.url.hostname);
    if (literal !== undefined && !hosts.literal(literal)) return notSent("address_not_allowed");

    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), timeoutMs ?? limits.deadlineMs);
    const either = signal === undefined ? timer.signal : AbortSignal.any([signal, timer.signal]);
    const abortCode = () => (signal?.aborted === true ? "cancelled" : "timeout");
    const headersTimeoutMs = Math.max(limits.headersTimeoutMs, timeoutMs ?? 0);
    const exchange = { dispatcher: agent, limits: { ...limits, headersTimeoutMs }, signal: either, abortCode } as const;
    try {
      return (await runInTurn(either, () => requestOnce(request, exchange))) ?? notSent("overloaded");
    } catch (cause) {
      // Only waiting for a turn rejects.
      return notSent(abortCode() === "timeout" ? "overloaded" : "cancelled", cause);
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

function notSent(code: FailureCode, cause?: unknown): ExchangeResult {
  return { ok: false, failure: { code, sent: false, ...(cause !== undefined && { cause }) } };
}
