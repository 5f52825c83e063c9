// The event stream of this browser. It is loaded after the first paint, which does not wait for it.
import { effect } from "@preact/signals";
import { apiUrl } from "../api/client.ts";
import type { LiveEvents } from "../api/types.ts";
import { liveness, publish, publishReset } from "./live.ts";
import { joinTabs, type StreamHandlers, type TabMessage, type TabWorld } from "./live-tabs.ts";
import { askAgain } from "./reach.ts";
import { isSignedOut, me } from "./session.ts";

/** Takes part in the stream of this browser while an operator is signed in. Returns a function that ends it. */
export function startLive(): () => void {
  let stop: (() => void) | undefined;
  const end = effect(() => {
    const isIn = me.value !== undefined && !isSignedOut.value;
    if (isIn && stop === undefined)
      stop = joinTabs(browserWorld(), {
        onEvent: receive,
        onReset: publishReset,
        onState: (state) => {
          liveness.value = state;
        },
        onEnd: askAgain,
      });
    if (!isIn) {
      stop?.();
      stop = undefined;
    }
  });
  return () => {
    end();
    stop?.();
  };
}

function receive(name: string, data: string): void {
  try {
    publish(name as keyof LiveEvents, JSON.parse(data) as never);
  } catch {
    // An event of a newer gateway that this page cannot read is no reason to end the stream.
  }
}

const EVENT_NAMES = [
  "incident",
  "approval",
  "breaker",
  "store",
  "change",
  "tick",
] as const satisfies readonly (keyof LiveEvents)[];

function browserWorld(): TabWorld {
  const channel = new BroadcastChannel("recourse-live");
  return {
    // Without locks each tab would hold a connection, and the seventh tab would never load: then there is no stream.
    lock: async (hold, ended) => {
      if ("locks" in navigator) await navigator.locks.request("recourse-live", { signal: ended }, hold);
    },
    post: (message) => channel.postMessage(message),
    onMessage: (handler) => {
      channel.onmessage = (event: MessageEvent<TabMessage>) => handler(event.data);
      return () => channel.close();
    },
    open: openEventSource,
    isHidden: () => document.visibilityState === "hidden",
    onVisibility: (handler) => {
      document.addEventListener("visibilitychange", handler);
      return () => document.removeEventListener("visibilitychange", handler);
    },
    now: () => Date.now(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
}

function openEventSource({ onEvent, onEnd }: StreamHandlers): () => void {
  const stream = new EventSource(apiUrl("live"));
  for (const name of [...EVENT_NAMES, "reset"])
    stream.addEventListener(name, (event) => onEvent(name, (event as MessageEvent<string>).data));
  // A connection that breaks is opened again by the browser, with the id of the last event.
  stream.addEventListener("error", () => stream.readyState === EventSource.CLOSED && onEnd());
  return () => stream.close();
}
