import type { SecretFilter } from "../../safety/secrets.ts";
import { credentialFilter, isCredentialHeader } from "../../sdk/context.ts";
import { addExchange, type CallAttempt, type CallAttempts, endExchange, endStream, findCallRef } from "./attempts.ts";
import { answerForm, beginExchange, type HttpExchange, recordBody, recordHead, recordRejection } from "./exchange.ts";
import { scanSse } from "./sse.ts";
import { tapBody } from "./tap.ts";
import type { FetchLike } from "./types.ts";

/** What the observed fetch works with. */
export interface ObserverState {
  readonly fetch: FetchLike;
  readonly now: () => number;
  /** How often the SDK's transport tries to resume a stream. */
  readonly resumptions: number;
  readonly attempts: CallAttempts;
  readonly credentials: SentCredentials;
  /** The last exchange that failed and belonged to no call. */
  failed?: HttpExchange;
  /** The last events of streams that were abandoned: the SDK would resume them. */
  readonly abandonedEvents: Set<string>;
}

const MAX_ABANDONED = 1_000;

/** The arguments of `fetch`. */
interface FetchArguments {
  readonly url: string | URL;
  readonly init: RequestInit;
}

/** The fetch for the SDK's transport: MCP exchanges are observed, those of an authorisation are not. */
export function observedFetch(state: ObserverState): FetchLike {
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
    const headers = new Headers(init.headers);
    const eventId = headers.get("last-event-id");
    // With this status the SDK gives up.
    if (eventId !== null && state.abandonedEvents.delete(eventId))
      return Promise.resolve(new Response(null, { status: 405 }));
    const resumed = eventId === null ? undefined : state.attempts.resumedFrom(eventId);
    if (resumed !== undefined) return fetchToResume(state, resumed, { url, init });
    const isStream = headers.get("accept")?.includes("text/event-stream") === true;
    return isStream ? fetchForConnection(state, { url, init }) : state.fetch(url, init);
  };
}

/** One exchange of an attempt: everything that happens to it is recorded with the attempt. */
async function fetchForCall(
  state: ObserverState,
  attempt: CallAttempt,
  { url, init }: FetchArguments,
): Promise<Response> {
  const { now, resumptions } = state;
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
      attempt.abandon = () => {
        const eventId = scan.lastId();
        if (eventId !== undefined && state.abandonedEvents.size < MAX_ABANDONED) state.abandonedEvents.add(eventId);
        link.abort();
      };
      const ended = () => endStream(attempt, { exchange, scan, signal: link.signal, resumptions });
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

/** What a refusal to resume means to the SDK: it asks again, after authorising or within its limit, or gives up. */
const REFUSED_RESUME: Readonly<Record<number, "again" | "never">> = {
  401: "again",
  403: "again",
  405: "never",
} satisfies Record<number, "again" | "never">;

/** The SDK fetches the rest of an answer whose stream was closed. How far the request itself came stays as it was. */
async function fetchToResume(
  state: ObserverState,
  attempt: CallAttempt,
  { url, init }: FetchArguments,
): Promise<Response> {
  const { resumptions } = state;
  const { signal } = init;
  const exchange = attempt.last;

  function giveUp(): void {
    endExchange(attempt, exchange, () => true);
  }

  function fail(): void {
    attempt.failedResumes += 1;
    if (attempt.failedResumes >= resumptions) giveUp();
  }

  const response = await state.fetch(url, init).catch((error: unknown) => {
    if (signal?.aborted !== true) fail();
    throw error;
  });
  if (!response.ok) {
    const means = REFUSED_RESUME[response.status];
    if (means === "never") giveUp();
    else if (means === undefined) fail();
    return response;
  }
  if (response.body === null) giveUp();
  attempt.failedResumes = 0;
  const scan = scanSse();
  const over = () => endStream(attempt, { exchange, scan, signal, resumptions });
  return tapBody(response, { chunk: scan.feed, ended: over, broke: over });
}

/** Tokens are renewed now and then, and an answer may still show an old one. */
const MAX_CREDENTIALS = 8;

/** Remembers the credentials that requests carried, so that no fault repeats them. */
interface SentCredentials {
  /** Takes the credentials from the address and the headers of a request. */
  add(url: string | URL, headers: RequestInit["headers"]): void;
  /** Finds the credentials in texts. Undefined if none was sent. */
  filter(): SecretFilter | undefined;
}

/** Remembers the last credentials of one connection. */
export function rememberCredentials(): SentCredentials {
  const values = new Set<string>();
  let filter: SecretFilter | undefined;
  return {
    add(url, headers) {
      for (const value of findCredentials(url, headers)) {
        if (values.has(value)) continue;
        values.add(value);
        for (const oldest of values) if (values.size > MAX_CREDENTIALS) values.delete(oldest);
        filter = undefined;
      }
    },
    filter() {
      filter ??= credentialFilter([...values]);
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
