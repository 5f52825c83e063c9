import type { SecretFilter } from "../../safety/secrets.ts";
import { credentialFilter, isCredentialHeader } from "../../sdk/context.ts";
import { noChild, observeChild } from "../../sdk/stdio.ts";
import { type TestingOptions, toClock } from "../../wire/clock.ts";
import { NewestMap } from "../../wire/newest-map.ts";
import {
  addExchange,
  type CallAttempt,
  type CallAttempts,
  createAttempts,
  endExchange,
  findCallRef,
  untilLost,
} from "./attempts.ts";
import {
  answerForm,
  beginExchange,
  type HttpExchange,
  recordBody,
  recordHead,
  recordRejection,
  toRecord,
} from "./exchange.ts";
import { scanSse } from "./sse.ts";
import type { FetchLike, TransportObserver } from "./types.ts";

interface ObserverState {
  readonly fetch: FetchLike;
  readonly now: () => number;
  readonly attempts: CallAttempts;
  readonly credentials: SentCredentials;
  failed?: HttpExchange;
}

/** The arguments of `fetch`. */
interface FetchArguments {
  readonly url: string | URL;
  readonly init: RequestInit;
}

/** The fetch for the SDK's transport: MCP exchanges are observed, those of an authorisation are not. */
function observedFetch(state: ObserverState): FetchLike {
  return (url, init = {}) => {
    const { body } = init;
    if (typeof body === "string") {
      const call = findCallRef(body);
      if (call === undefined && !body.includes('"jsonrpc"')) return state.fetch(url, init);
      state.credentials.add(url, init.headers);
      if (call === undefined) return fetchForConnection(state, { url, init });
      return fetchForCall(state, state.attempts.of(call), { url, init });
    }
    if (init.method !== undefined && init.method !== "GET") return state.fetch(url, init);
    const isStream = new Headers(init.headers).get("accept")?.includes("text/event-stream") === true;
    return isStream ? fetchForConnection(state, { url, init }) : state.fetch(url, init);
  };
}

/** One exchange of an attempt: everything that happens to it is recorded with the attempt. */
async function fetchForCall(
  state: ObserverState,
  attempt: CallAttempt,
  { url, init }: FetchArguments,
): Promise<Response> {
  const { now } = state;
  const exchange = beginExchange(now());
  addExchange(attempt, exchange);
  const link = linkedSignal(init.signal);
  attempt.abandon = link.abort;
  const response = await state.fetch(url, { ...init, signal: link.signal }).catch((error: unknown) => {
    link.release();
    recordRejection(exchange, error, { now: now(), init });
    throw error;
  });
  recordHead(exchange, response, now());
  const form = answerForm(response);
  switch (form) {
    case "json":
    case "refusal":
      return recordBody(exchange, response, { now, over: link.release });
    case "stream": {
      const scan = scanSse();
      const ended = () => {
        // A caller that aborted does not wait. The SDK resumes a stream that had an event id: its answer can still come.
        if (!link.signal.aborted && !scan.hasId()) endExchange(attempt, exchange, () => !scan.isAnswered());
      };
      if (response.body === null) ended();
      return recordBody(exchange, response, { now, chunk: scan.feed, ended, broke: ended, over: link.release });
    }
    case "accepted":
      link.release();
      endExchange(attempt, exchange, () => true);
      return response;
    case "redirect":
      link.release();
      return response;
    default:
      return form satisfies never;
  }
}

/** A signal that is aborted with another one, or by itself; `release` removes the listener from the other. */
function linkedSignal(other: AbortSignal | null | undefined) {
  const controller = new AbortController();
  const follow = () => controller.abort(other?.reason);
  if (other?.aborted === true) follow();
  else other?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    abort: () => controller.abort("no longer waited for"),
    release: () => other?.removeEventListener("abort", follow),
  };
}

/** An exchange that belongs to no call; only a failure of it is recorded. */
async function fetchForConnection(state: ObserverState, { url, init }: FetchArguments): Promise<Response> {
  const { now } = state;
  const exchange = beginExchange(now());
  const response = await state.fetch(url, init).catch((error: unknown) => {
    if (init.signal?.aborted !== true) {
      recordRejection(exchange, error, { now: now(), init });
      state.failed = exchange;
    }
    throw error;
  });
  // A server that offers no stream of its own answers with 405.
  if (response.status < 400 || (init.body === undefined && response.status === 405)) return response;
  recordHead(exchange, response, now());
  state.failed = exchange;
  return recordBody(exchange, response, { now });
}

/** Tokens are renewed now and then, and an answer may still show an old one. */
const MAX_CREDENTIALS = 8;

/** Remembers the credentials that requests carried, so that no fault repeats them. */
interface SentCredentials {
  add(url: string | URL, headers: RequestInit["headers"]): void;
  /** Finds the credentials in texts. Undefined if none was sent. */
  filter(): SecretFilter | undefined;
}

export function rememberCredentials(): SentCredentials {
  const values = new NewestMap<string, true>(MAX_CREDENTIALS);
  let filter: SecretFilter | undefined;
  return {
    add(url, headers) {
      for (const value of findCredentials(url, headers)) {
        if (values.has(value)) continue;
        values.set(value, true);
        filter = undefined;
      }
    },
    filter() {
      filter ??= credentialFilter([...values.keys()]);
      return filter;
    },
  };
}

function findCredentials(url: string | URL, headers: RequestInit["headers"]): string[] {
  const named = [...new Headers(headers), ...urlParameters(url)];
  return named.filter(([name]) => isCredentialHeader(name)).map(([, value]) => value);
}

function urlParameters(url: string | URL): Iterable<readonly [string, string]> {
  return URL.canParse(String(url)) ? new URL(url).searchParams : [];
}

/** Options of `observeTransport`. */
export interface ObserveTransportOptions {
  /** The fetch that sends requests. @default the platform's `fetch` */
  readonly fetch?: FetchLike;
  /** Replaces time in tests. @default the platform's */
  readonly testing?: TestingOptions;
}

const MAX_KEPT_ATTEMPTS = 1_000;
/** How long the SDK may take to deliver an answer after its stream has ended. */
const DELIVERY_GRACE_MS = 50;

/**
 * Observes one connection to a server and records what the SDK's clients drop: status, headers and body of failures, how
 * far a request came, that an answer can no longer come, the last lines of a server process and how it ended.
 *
 * @example
 * const transport = observeTransport();
 * await client.connect(new StreamableHTTPClientTransport(url, { fetch: transport.fetch }));
 * const mcp = recourse(client, { transport });
 */
export function observeTransport(options: ObserveTransportOptions = {}): TransportObserver {
  const attempts = createAttempts(MAX_KEPT_ATTEMPTS);
  const child = noChild();
  const state: ObserverState = {
    // Looked up at each call: other code may replace it later.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    now: toClock(options.testing).now,
    attempts,
    credentials: rememberCredentials(),
  };
  return {
    fetch: observedFetch(state),
    child(transport) {
      observeChild(transport, child);
      return transport;
    },
    abandon: attempts.abandon,
    take: attempts.take,
    connection: () => ({
      stderr: child.stderr.lines(),
      credentials: state.credentials.filter(),
      ...(child.exit !== undefined && { exit: child.exit }),
      ...(state.failed !== undefined && { failed: toRecord(state.failed, 1) }),
    }),
    lost: (call, signal) => untilLost(attempts.of(call), { signal, graceMs: DELIVERY_GRACE_MS }),
  };
}
