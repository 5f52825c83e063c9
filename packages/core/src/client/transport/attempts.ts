import { integerAt, objectAt, parseJson, stringAt } from "../../wire/json.ts";
import { CALL_KEY } from "../../wire/names.ts";
import { NewestMap } from "../../wire/newest-map.ts";
import { type HttpExchange, toRecord } from "./exchange.ts";
import type { CallRef, ExchangeRecord } from "./types.ts";

export interface CallAttempt {
  exchanges: number;
  last?: HttpExchange;
  /** Set once the last exchange is over for the SDK; tells whether it ended without an answer. */
  isLost?: () => boolean;
  readonly listeners: Set<() => void>;
  abandon?: () => void;
}

export interface CallAttempts {
  /** The attempt of a call; created if it is new. */
  of(call: CallRef): CallAttempt;
  /** Ends the exchange under way of an attempt. */
  abandon(call: CallRef): void;
  take(call: CallRef): ExchangeRecord | undefined;
}

/** Keeps the attempts of the newest calls; beyond `max` the oldest is forgotten. */
export function createAttempts(max: number): CallAttempts {
  const kept = new NewestMap<string, CallAttempt>(max);
  return {
    of(call) {
      const key = attemptKey(call);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const attempt: CallAttempt = { exchanges: 0, listeners: new Set() };
      kept.set(key, attempt);
      return attempt;
    },
    abandon: (call) => kept.get(attemptKey(call))?.abandon?.(),
    take(call) {
      const key = attemptKey(call);
      const attempt = kept.get(key);
      kept.delete(key);
      const record = attempt && recordOfAttempt(attempt);
      // Nothing listens to what is still under way.
      delete attempt?.last;
      delete attempt?.isLost;
      delete attempt?.abandon;
      return record;
    },
  };
}

function attemptKey({ id, attempt }: CallRef): string {
  return `${attempt} ${id}`;
}

function recordOfAttempt({ last, exchanges }: CallAttempt): ExchangeRecord | undefined {
  return last && toRecord(last, exchanges);
}

/** Notes that the SDK begins an exchange for an attempt: the end of an earlier one no longer counts. */
export function addExchange(attempt: CallAttempt, exchange: HttpExchange): void {
  attempt.exchanges += 1;
  attempt.last = exchange;
  delete attempt.isLost;
}

/** Notes that an exchange is over for the SDK, unless another one has taken its place. */
export function endExchange(attempt: CallAttempt, exchange: HttpExchange, isLost: () => boolean): void {
  if (attempt.last !== exchange) return;
  attempt.isLost = isLost;
  for (const listen of attempt.listeners) listen();
}

/** Resolves when an attempt is over without an answer, after a grace period in which the SDK delivers what it has. */
export function untilLost(
  attempt: CallAttempt,
  options: { signal: AbortSignal; graceMs: number },
): Promise<ExchangeRecord> {
  const { signal, graceMs } = options;
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;

    function look(): void {
      // A later exchange may have begun in the meantime; then there is nothing to look at.
      const record = attempt.isLost?.() === true ? recordOfAttempt(attempt) : undefined;
      if (record === undefined) return;
      stop();
      resolve(record);
    }

    function listen(): void {
      clearTimeout(timer);
      timer = setTimeout(look, graceMs);
    }

    function abort(): void {
      stop();
      reject(signal.reason);
    }

    function stop(): void {
      clearTimeout(timer);
      attempt.listeners.delete(listen);
      signal.removeEventListener("abort", abort);
    }

    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    attempt.listeners.add(listen);
    if (attempt.isLost !== undefined) listen();
  });
}

const CALL_MARK = `"${CALL_KEY}":`;

/**
 * The attempt that the body of a request belongs to. Only the mark itself is parsed if possible: arguments can be large,
 * and every call passes here.
 */
export function findCallRef(body: string): CallRef | undefined {
  const at = body.indexOf(CALL_MARK);
  if (at === -1) return undefined;
  const from = at + CALL_MARK.length;
  const isOnly = body.indexOf(CALL_MARK, from) === -1;
  // Arguments may contain the mark of another call, and a key may contain a brace: then the whole request decides.
  const quick = isOnly ? readCallRef(parseJson(body.slice(from, body.indexOf("}", from) + 1))) : undefined;
  return quick ?? readCallRef(findCallMark(parseJson(body, Number.POSITIVE_INFINITY)));
}

function findCallMark(request: unknown): unknown {
  return objectAt(objectAt(objectAt(request, "params"), "_meta"), CALL_KEY);
}

function readCallRef(mark: unknown): CallRef | undefined {
  const id = stringAt(mark, "id");
  const attempt = integerAt(mark, "attempt");
  return id === undefined || attempt === undefined ? undefined : { id, attempt };
}
