// What happens, as it happens. Events carry ids and labels; a page asks for the rest.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { LiveEvents } from "../api/types.ts";

/** How fresh the page is: a stream, a request every 10 s if there is no stream, or nothing for a while. */
export type Liveness = "live" | "polling" | "paused";

/** How fresh the page is. What was just loaded counts as live. */
export const liveness = signal<Liveness>("live");

type LiveName = keyof LiveEvents;
type Handler<Name extends LiveName> = (event: LiveEvents[Name]) => void;
const handlers = new Map<LiveName, Set<Handler<never>>>();
const resets = new Set<() => void>();

/** Receives events of one sort. Gives what ends it. */
export function onLive<Name extends LiveName>(name: Name, handler: Handler<Name>): () => void {
  const known = handlers.get(name) ?? new Set();
  handlers.set(name, known.add(handler as Handler<never>));
  return () => known.delete(handler as Handler<never>);
}

/** Passes an event on to this page. */
export function publish<Name extends LiveName>(name: Name, event: LiveEvents[Name]): void {
  for (const handler of handlers.get(name) ?? []) (handler as Handler<Name>)(event);
}

/** Says that events were missed. */
export function publishReset(): void {
  for (const handler of resets) handler();
}

/** Hears that events were missed, so that what is shown has to be asked for again. Gives what ends it. */
function onLiveReset(handler: () => void): () => void {
  resets.add(handler);
  return () => resets.delete(handler);
}

/** So many events wait for the next batch at most. */
const MAX_BATCH = 500;

/** Receives events in batches, at most every 250 ms. Of a flood the newest 500 are given, and how many were left out. */
export function useLiveBatch<Name extends LiveName>(
  name: Name,
  onBatch: (events: readonly LiveEvents[Name][], leftOut: number) => void,
  { everyMs = 250 }: { /** @default 250 */ readonly everyMs?: number } = {},
): void {
  const present = useRef(onBatch);
  present.current = onBatch;
  useEffect(() => {
    let waiting: LiveEvents[Name][] = [];
    let leftOut = 0;
    const pace = paceRuns(() => {
      const batch = waiting;
      const missed = leftOut;
      waiting = [];
      leftOut = 0;
      present.current(batch, missed);
    }, everyMs);
    const stop = onLive(name, (event) => {
      if (waiting.length === MAX_BATCH) {
        waiting.shift();
        leftOut += 1;
      }
      waiting.push(event);
      pace.ask();
    });
    return () => {
      stop();
      pace.stop();
    };
  }, [name, everyMs]);
}

/**
 * Asks again when something happens: after events of these names at most every `everyMs`, every 10 s without a stream,
 * and after a gap. A hidden page waits until it is seen.
 */
export function useLiveRefresh(
  names: readonly LiveName[],
  reload: () => void,
  {
    everyMs = 2_000,
    pollMs = 10_000,
  }: { /** @default 2000 */ readonly everyMs?: number /** @default 10000 */; readonly pollMs?: number } = {},
): void {
  const present = useRef(reload);
  present.current = reload;
  const key = names.join(" ");
  useEffect(() => {
    let isDue = false;
    const pace = paceRuns(() => {
      isDue = document.visibilityState !== "visible";
      if (!isDue) present.current();
    }, everyMs);
    const onVisible = () => {
      if (isDue && document.visibilityState === "visible") pace.ask();
    };
    document.addEventListener("visibilitychange", onVisible);
    const stops = key.split(" ").map((name) => onLive(name as LiveName, pace.ask));
    stops.push(onLiveReset(pace.ask));
    const timer = setInterval(() => liveness.value === "polling" && pace.ask(), pollMs);
    return () => {
      document.removeEventListener("visibilitychange", onVisible);
      for (const stop of stops) stop();
      clearInterval(timer);
      pace.stop();
    };
  }, [key, everyMs, pollMs]);
}

/** Runs something when it is asked for: at once, and then at most every `everyMs`. */
function paceRuns(run: () => void, everyMs: number): { readonly ask: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsked = false;
  const turn = () => {
    isAsked = false;
    run();
    timer = setTimeout(() => {
      timer = undefined;
      if (isAsked) turn();
    }, everyMs);
  };
  return {
    ask: () => {
      isAsked = true;
      if (timer === undefined) turn();
    },
    stop: () => clearTimeout(timer),
  };
}
