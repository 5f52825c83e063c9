import {
  ABORTED,
  hasListen,
  isObject,
  type JsonObject,
  MAX_TIMER_MS,
  objectAt,
  parseJson,
  sleep,
  stringAt,
} from "@recourse/core/wire";
import { inBackground, type UnexpectedObserver } from "../call/observer.ts";
import type { SessionAddress } from "../call/upstream.ts";
import { upstreamHolder } from "../limits/shares.ts";
import { CHANGES, type ListChange } from "./notifications.ts";
import type { Identity } from "./own-results.ts";
import { ownMeta } from "./read-list.ts";
import type { UpstreamLists } from "./upstream-lists.ts";

/** The stream of a caller starts when those of the upstreams have, or after this time. */
export const MAX_ACKNOWLEDGE_MS = 1_500;
/** The pause before a stream that an upstream ended is opened again; it doubles up to the second value. */
const LISTEN_PAUSE_MS = 1_000;
const MAX_LISTEN_PAUSE_MS = 30_000;
/** A stream that lasted so long was meant to last: the next pause is short again. */
const LISTEN_STABLE_MS = 10_000;

/** What an upstream of the newer era is asked to tell, in the words of its filter. */
export type UpstreamPart = Partial<Record<ListChange, true>> & {
  readonly resourceSubscriptions?: readonly string[];
};

export interface ListenParts {
  readonly identity: Identity;
  /** Monotonic time in ms. */
  readonly now: () => number;
  readonly observer: UnexpectedObserver;
}

export interface UpstreamStream {
  readonly lists: UpstreamLists;
  readonly part: UpstreamPart;
  /** Whose it is. @default the gateway's own */
  readonly address?: SessionAddress;
  readonly signal: AbortSignal;
  /** Receives what comes after the acknowledgement. */
  readonly onMessage: (message: ListenMessage) => void;
  /** It was opened again: changes in between were not reported. @default the lists are read, and that is enough */
  readonly onReopened?: () => void;
}

export interface ListenMessage {
  readonly method: string;
  readonly uri: string | undefined;
}

/** How a stream began: with what the upstream agreed to tell, or not at all. */
export type ListenStart =
  | { readonly kind: "open"; readonly agreed: JsonObject }
  | { readonly kind: "refused" }
  | { readonly kind: "ended" };

/** The gateway's own session of an upstream. */
export function ownAddress({ upstream }: UpstreamLists): SessionAddress {
  return { session: "catalog", caller: upstreamHolder(upstream.options.name) };
}

/**
 * Keeps a stream of an upstream open until the signal is aborted, or the upstream refuses it. Resolves when it has begun for
 * the first time.
 */
export function listenToUpstream(stream: UpstreamStream, parts: ListenParts): Promise<ListenStart> {
  const { lists, signal, onReopened } = stream;
  return new Promise((begun) => {
    const run = async () => {
      let attempts = 0;
      const opened = (start: ListenStart) => {
        if (attempts > 1) onReopened?.();
        begun(start);
      };
      for (let pause = LISTEN_PAUSE_MS; !signal.aborted; pause = Math.min(MAX_LISTEN_PAUSE_MS, pause * 2)) {
        const beganMs = parts.now();
        attempts += 1;
        const kind = await listenOnce(stream, parts, opened).catch(() => "ended" as const);
        begun({ kind });
        if (kind === "refused" || signal.aborted) return;
        if (parts.now() - beganMs >= LISTEN_STABLE_MS) pause = LISTEN_PAUSE_MS;
        if ((await sleep(pause, signal).catch(() => ABORTED)) === ABORTED) return;
        // Changes of the time without a stream are found by reading the lists. The stream of one caller tells of none.
        if (stream.address === undefined) lists.invalidate();
      }
    };
    inBackground(
      "listen",
      parts.observer,
      run().finally(() => begun({ kind: "ended" })),
    );
  });
}

async function listenOnce(
  { lists, part, address = ownAddress(lists), signal, onMessage }: UpstreamStream,
  { identity }: ListenParts,
  onOpen: (start: ListenStart) => void,
): Promise<"refused" | "ended"> {
  const { upstream, era } = lists;
  const ready = await upstream.ready(signal);
  if (typeof ready !== "string") return "ended";
  const parsed = { notifications: part, ...ownMeta(era ?? ready, identity) };
  const hear = (bytes: Buffer) => {
    const message = parseJson(bytes.toString("utf8"));
    const method = stringAt(message, "method") ?? "";
    const params = objectAt(message, "params");
    if (method === "notifications/subscriptions/acknowledged") {
      onOpen({ kind: "open", agreed: objectAt(params, "notifications") ?? {} });
    } else {
      onMessage({ method, uri: stringAt(params, "uri") });
    }
  };
  const reply = await upstream.send({
    method: "subscriptions/listen",
    target: undefined,
    id: "0",
    params: Buffer.from(JSON.stringify(parsed)),
    parsed,
    ...address,
    timeoutMs: MAX_TIMER_MS,
    signal,
    onNotification: hear,
  });
  if (reply.kind === "failed") return "ended";
  const error = objectAt(parseJson(reply.body.toString("utf8")), "error");
  return error === undefined ? "ended" : "refused";
}

/** The changes of lists that an upstream of the newer era can announce; undefined if it announces none. */
export function changesPart(lists: UpstreamLists, changes: Iterable<ListChange>): UpstreamPart | undefined {
  if (!hasListen(lists.era)) return undefined;
  const part: Partial<Record<ListChange, true>> = {};
  for (const change of changes) {
    const capability = objectAt(lists.upstream.about?.capabilities, CHANGES[change].capability);
    if (isObject(capability) && capability["listChanged"] === true) part[change] = true;
  }
  return Object.keys(part).length === 0 ? undefined : part;
}
