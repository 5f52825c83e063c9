import { content, type Fault } from "@recourse/faults";
import {
  ABORTED,
  hasListen,
  isObject,
  MAX_TIMER_MS,
  objectAt,
  parseJson,
  race,
  SUBSCRIPTION_ID_KEY,
  sleep,
  stringAt,
} from "@recourse/wire";
import type { Call } from "../call/call.ts";
import { inBackground, type UnexpectedObserver } from "../call/observer.ts";
import type { FairPool } from "../limits/fair-pool.ts";
import { shareFault, upstreamHolder } from "../limits/shares.ts";
import type { View } from "./merged.ts";
import type { Refusals } from "./methods.ts";
import {
  CHANGES,
  changesIn,
  type ListChange,
  type ListenFilter,
  listChangeFor,
  NoticeQueue,
  readFilter,
} from "./notifications.ts";
import { type Identity, resultMeta, subscribes } from "./own-results.ts";
import { type ListMethod, ownMeta } from "./read-list.ts";
import type { UpstreamLists } from "./upstream-lists.ts";

/** The message that opens a stream is kept as long as the stream, so it must not be larger than this. */
const MAX_MESSAGE_BYTES = 131_072;
/** The stream of a caller starts when those of the upstreams have, or after this time. */
const MAX_ACKNOWLEDGE_MS = 1_500;
/** The pause before a stream that an upstream ended is opened again; it doubles up to the second value. */
const LISTEN_PAUSE_MS = 1_000;
const MAX_LISTEN_PAUSE_MS = 30_000;
/** A stream that lasted so long was meant to last: the next pause is short again. */
const LISTEN_STABLE_MS = 10_000;

/** What streams of callers need of the catalog. */
export interface ListeningOptions {
  /** The streams that are open, of all callers and configurations together. */
  readonly streams: FairPool;
  readonly all: readonly UpstreamLists[];
  readonly identity: Identity;
  readonly refusals: Refusals;
  /** Monotonic time in ms. */
  readonly now: () => number;
  readonly observer: UnexpectedObserver;
  createView(call: Call): View;
  /** The upstream that a resource is read from, for the caller of this view. */
  findOwner(uri: string, view: View): UpstreamLists | undefined;
}

interface Stream {
  readonly filter: ListenFilter;
  /** What the caller sees now. */
  view(): View;
  /** Changes that the caller was notified of since the lists of that upstream were read. */
  readonly announced: Set<string>;
  readonly notices: NoticeQueue;
}

/** `subscriptions/listen`: one stream for the caller, fed by the upstreams it concerns and by lists that were seen to change. */
export class Listening {
  readonly #options: ListeningOptions;
  readonly #streams = new Set<Stream>();
  readonly #closing = new AbortController();

  constructor(options: ListeningOptions) {
    this.#options = options;
  }

  /** Tells callers of lists that were found to have changed, where the upstream did not say so itself. */
  published(lists: UpstreamLists, changed: readonly ListMethod[]): void {
    const changes = changesIn(changed);
    for (const stream of this.#streams) {
      for (const change of Object.keys(CHANGES) as ListChange[]) {
        const isAnnounced = stream.announced.delete(announcement(lists, change));
        if (!changes.has(change) || isAnnounced || !stream.filter.changes.has(change)) continue;
        if (stream.view().reaches(lists)) stream.notices.send({ method: CHANGES[change].method });
      }
    }
  }

  /** Serves one caller until it leaves or the gateway stops. */
  async answer(call: Call): Promise<string | Fault> {
    const { refusals, streams, identity } = this.#options;
    const actualSize = call.message?.bytes.length ?? 0;
    if (actualSize > MAX_MESSAGE_BYTES) {
      return content.message_too_large.fault({ maxSize: MAX_MESSAGE_BYTES, actualSize }, { origin: identity.origin });
    }
    const asked = readFilter(call.message?.params);
    if (asked === undefined) return refusals.params();
    const { caller } = call;
    if (caller === undefined || !streams.take(caller, 1)) {
      return shareFault("streams", caller === undefined ? 0 : streams.fairShare(caller));
    }
    try {
      return await this.#serve(call, asked);
    } finally {
      streams.give(caller, 1);
    }
  }

  async #serve(call: Call, asked: ListenFilter): Promise<string> {
    const { createView: viewOf, findOwner: ownerOf, all, identity } = this.#options;
    const view = viewOf(call);
    const uris = new Map<UpstreamLists, string[]>();
    for (const uri of asked.uris) {
      const owner = ownerOf(uri, view);
      if (owner !== undefined && subscribes(owner)) uris.set(owner, [...(uris.get(owner) ?? []), uri]);
    }
    const filter: ListenFilter = { changes: asked.changes, uris: [...uris.values()].flat() };
    const stream = this.#open(call, filter);
    const ending = AbortSignal.any([call.origin.signal, this.#closing.signal]);
    const followed = all.flatMap((lists) => {
      const part = upstreamPart(lists, filter, uris.get(lists) ?? []);
      return part === undefined || !view.reaches(lists) ? [] : [this.#follow(lists, part, stream, ending)];
    });
    await race(Promise.all(followed), { ms: MAX_ACKNOWLEDGE_MS, sleep, signal: ending });
    stream.acknowledge();
    const isEmpty = filter.changes.size === 0 && filter.uris.length === 0;
    if (!isEmpty) await race(new Promise<never>(() => {}), { signal: ending });
    this.#streams.delete(stream);
    stream.notices.close();
    const meta = { [SUBSCRIPTION_ID_KEY]: call.message?.id, ...resultMeta(identity) };
    return JSON.stringify({ resultType: "complete", _meta: meta });
  }

  /** Ends all streams in good order. */
  close(): void {
    this.#closing.abort();
  }

  #open(call: Call, filter: ListenFilter): Stream & { acknowledge(): void } {
    const _meta = { [SUBSCRIPTION_ID_KEY]: call.message?.id };
    const write = (method: string, params: Readonly<Record<string, unknown>>) => {
      if (call.origin.signal.aborted) return;
      call.origin.notify(Buffer.from(JSON.stringify({ jsonrpc: "2.0", method, params: { ...params, _meta } })));
    };
    const stream = {
      filter,
      view: () => this.#options.createView(call),
      announced: new Set<string>(),
      notices: new NoticeQueue(({ method, uri }) => write(method, uri === undefined ? {} : { uri })),
      /** The acknowledgement is the first message of a stream. */
      acknowledge() {
        const changes = Object.fromEntries([...filter.changes].map((change) => [change, true]));
        const resources = filter.uris.length > 0 ? { resourceSubscriptions: filter.uris } : {};
        write("notifications/subscriptions/acknowledged", { notifications: { ...changes, ...resources } });
        stream.notices.open();
      },
    };
    this.#streams.add(stream);
    return stream;
  }

  /** Keeps a stream of an upstream open as long as that of the caller is. Resolves when it has begun for the first time. */
  #follow(lists: UpstreamLists, part: UpstreamPart, stream: Stream, ending: AbortSignal): Promise<void> {
    return new Promise((begun) => {
      const run = async () => {
        for (let pause = LISTEN_PAUSE_MS; !ending.aborted; pause = Math.min(MAX_LISTEN_PAUSE_MS, pause * 2)) {
          const beganMs = this.#options.now();
          const reply = await this.#listenTo(lists, part, stream, ending, begun).catch(() => "ended" as const);
          begun();
          if (reply === "refused" || ending.aborted) return;
          if (this.#options.now() - beganMs >= LISTEN_STABLE_MS) pause = LISTEN_PAUSE_MS;
          if ((await race(sleep(pause), { signal: ending })) === ABORTED) return;
          // Changes of the time without a stream are found by reading the lists.
          lists.invalidate();
        }
      };
      inBackground("listen", this.#options.observer, run().finally(begun));
    });
  }

  async #listenTo(
    lists: UpstreamLists,
    part: UpstreamPart,
    stream: Stream,
    signal: AbortSignal,
    onOpen: () => void,
  ): Promise<"refused" | "ended"> {
    const { upstream, era } = lists;
    const ready = await upstream.ready(signal);
    if (typeof ready !== "string") return "ended";
    const parsed = { notifications: part, ...ownMeta(era ?? ready, this.#options.identity) };
    const reply = await upstream.send({
      method: "subscriptions/listen",
      target: undefined,
      id: "0",
      params: Buffer.from(JSON.stringify(parsed)),
      parsed,
      session: "catalog",
      caller: upstreamHolder(upstream.options.name),
      timeoutMs: MAX_TIMER_MS,
      signal,
      onNotification: (message) => this.#forward(lists, part, stream, message, onOpen),
    });
    if (reply.kind === "failed") return "ended";
    const error = objectAt(parseJson(reply.body.toString("utf8")), "error");
    return error === undefined ? "ended" : "refused";
  }

  #forward(lists: UpstreamLists, part: UpstreamPart, stream: Stream, bytes: Buffer, onOpen: () => void): void {
    const message = parseJson(bytes.toString("utf8"));
    const method = stringAt(message, "method") ?? "";
    if (method === "notifications/subscriptions/acknowledged") {
      onOpen();
      return;
    }
    const change = listChangeFor(method);
    if (change !== undefined) {
      lists.invalidate();
      if (!stream.filter.changes.has(change)) return;
      stream.announced.add(announcement(lists, change));
      stream.notices.send({ method });
      return;
    }
    const uri = stringAt(objectAt(message, "params"), "uri");
    const isAsked = uri !== undefined && part.resourceSubscriptions?.includes(uri) === true;
    if (method === "notifications/resources/updated" && isAsked) stream.notices.send({ method, uri });
  }
}

type UpstreamPart = Partial<Record<ListChange, true>> & { readonly resourceSubscriptions?: readonly string[] };

/** What of a filter is asked of an upstream; undefined where it cannot tell anything. */
function upstreamPart(lists: UpstreamLists, filter: ListenFilter, uris: readonly string[]): UpstreamPart | undefined {
  if (!hasListen(lists.era)) return undefined;
  const part: { -readonly [K in keyof UpstreamPart]: UpstreamPart[K] } = {};
  for (const change of filter.changes) {
    const capability = objectAt(lists.upstream.about?.capabilities, CHANGES[change].capability);
    if (isObject(capability) && capability["listChanged"] === true) part[change] = true;
  }
  if (uris.length > 0) part.resourceSubscriptions = uris;
  return Object.keys(part).length === 0 ? undefined : part;
}

function announcement({ upstream }: UpstreamLists, change: ListChange): string {
  return `${change} ${upstream.options.name}`;
}
