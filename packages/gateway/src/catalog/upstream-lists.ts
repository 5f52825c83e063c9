import type { RetryAdvice } from "@recourse/core";
import { type Revision, sleep } from "@recourse/core/wire";
import { inBackground, type Observer } from "../call/observer.ts";
import type { Upstream } from "../call/upstream.ts";
import { NoticePace, type NoticeTimes } from "./notifications.ts";
import {
  describeFailure,
  LIST_METHODS,
  LISTS,
  type ListEntry,
  type ListMethod,
  READ_BOUNDS,
  type ReadBounds,
  type ReadList,
  readList,
} from "./read-list.ts";

export interface RefreshTimes extends NoticeTimes {
  /** For lists of upstreams that give no hint. */
  readonly defaultMs: number;
  /** Lists are not read again by themselves before this time is over, whatever the hint says. */
  readonly minMs: number;
  readonly maxMs: number;
  /** The pause after a failure; it doubles up to `maxRetryMs`. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
  /** Unknown names make a list be read again, no more often than this. */
  readonly demandMs: number;
}

export const REFRESH_TIMES: RefreshTimes = {
  defaultMs: 60_000,
  minMs: 5_000,
  maxMs: 3_600_000,
  retryMs: 1_000,
  maxRetryMs: 30_000,
  demandMs: 1_000,
  noticeMs: 1_000,
  maxNoticeMs: 60_000,
};

/** Reading lists that take longer to read than the first value, in ms, uses this part of the time at most. */
const BUSY = { fromMs: 50, share: 0.05 } as const;

export interface UpstreamListsOptions {
  readonly upstream: Upstream;
  readonly observer: Observer;
  readonly client: { readonly name: string; readonly version: string };
  readonly now: () => number;
  readonly times?: RefreshTimes | undefined;
  readonly bounds?: ReadBounds | undefined;
  readonly clock?: (() => number) | undefined;
  /** What was read before, by the catalog of another configuration. */
  readonly last?: KnownLists | undefined;
  readonly onRead: (lists: UpstreamLists, changed: readonly ListMethod[]) => void;
  readonly onNotification: (lists: UpstreamLists, message: Buffer) => void;
  /** The upstream says that lists have changed which each caller reads for itself. @default nobody reads them so */
  readonly onOutdated?: ((lists: UpstreamLists) => void) | undefined;
}

export type Lists = Readonly<Record<ListMethod, readonly ListEntry[]>>;

export interface KnownLists {
  readonly lists: Lists;
  /** The lists that were read at least once, or that the upstream does not offer. Of others nobody knows what is in them. */
  readonly known: ReadonlySet<ListMethod>;
  readonly listedMs?: number | undefined;
}

/** The lists of one upstream. They are read again and again in the background, and stay when the upstream is down. */
export class UpstreamLists {
  readonly upstream: Upstream;
  /** Undefined before the upstream was ready for the first time. */
  era: Revision | undefined = undefined;
  /** `never`: no list was read yet. `kept`: the last attempt to read it failed. */
  listed: "never" | "current" | "kept" = "never";
  listedMs: number | undefined = undefined;
  /** Why the last attempt failed, for the operator; undefined if it did not. */
  why: string | undefined = undefined;
  retry: RetryAdvice | undefined = undefined;
  lists: Lists = { "tools/list": [], "prompts/list": [], "resources/list": [], "resources/templates/list": [] };
  readonly #options: UpstreamListsOptions;
  readonly #times: RefreshTimes;
  readonly #pace: NoticePace;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #first: Promise<void> | undefined;
  #rereading: Promise<void> | undefined;
  #isOutdated = false;
  /** The lists that callers read for themselves have changed, and the callers were not notified. */
  #hasNews = false;
  #isTelling = false;
  #startedMs = Number.NEGATIVE_INFINITY;
  /** How long the processor was busy with the last reading. */
  #workMs = 0;
  #expiresMs = 0;
  #failures = 0;
  #known = new Set<ListMethod>();
  readonly #logged = new Set<string>();

  constructor(options: UpstreamListsOptions) {
    this.upstream = options.upstream;
    this.#options = options;
    this.#times = options.times ?? REFRESH_TIMES;
    this.#pace = new NoticePace(this.#times, options.now);
    const reading = this.refresh();
    if (options.last === undefined) {
      this.#first = reading.finally(() => {
        this.#first = undefined;
      });
      return;
    }
    this.lists = options.last.lists;
    this.#known = new Set(options.last.known);
    this.listedMs = options.last.listedMs;
    this.listed = "kept";
  }

  /** Each caller reads the lists for itself: what is here stays empty, and only says whether the upstream is there. */
  get isPerCaller(): boolean {
    return this.upstream.options.lists === "caller";
  }

  get isTried(): boolean {
    return this.#first === undefined;
  }

  /** What another catalog takes over; undefined if the tools were not read yet. */
  get last(): KnownLists | undefined {
    return this.#hasRead ? { lists: this.lists, known: this.#known, listedMs: this.listedMs } : undefined;
  }

  /** Whether it is known what is in a list: it was read once, or the upstream does not offer it. */
  knows(method: ListMethod): boolean {
    return this.#known.has(method);
  }

  /**
   * The attempt that has to end before the lists are worth showing: the first one, or one after a notification. Nobody waits for
   * an upstream whose lists change all the time.
   */
  get settling(): Promise<void> | undefined {
    return this.#first ?? (this.#pace.isFirst ? this.#rereading : undefined);
  }

  freshMs(): number {
    return Math.max(0, Math.floor(this.#expiresMs - this.#options.now()));
  }

  refresh(): Promise<void> {
    this.#running ??= this.#tryToRead().finally(() => {
      this.#running = undefined;
      this.#schedule();
    });
    return this.#running;
  }

  /**
   * Whatever goes wrong while something of an upstream is read is a failure of this upstream, even if it is unexpected.
   */
  async #tryToRead(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      this.#failed(error instanceof Error ? error.message : String(error));
    }
  }

  /** Reads the lists because of a name that is not in them. Undefined if they were read a moment ago. */
  refreshOnDemand(): Promise<void> | undefined {
    // An attempt that is under way may have asked before the upstream changed, but it is recent enough to wait for.
    if (this.#running !== undefined) return this.#running;
    return this.#restMs(this.#times.demandMs) > 0 ? undefined : this.refresh();
  }

  /** The upstream says that its lists have changed: what is being read now may be too old already. */
  invalidate(): void {
    this.#pace.noticed();
    if (this.isPerCaller) {
      this.#hasNews = true;
      if (this.#isTelling) return;
      this.#isTelling = true;
      inBackground("change of lists", this.#options.observer, this.#tellCallers());
      return;
    }
    this.#isOutdated = true;
    this.#rereading ??= this.#reread().finally(() => {
      this.#rereading = undefined;
    });
  }

  /** Tells of changes at once, and then no more often than lists are read: each is heard on the streams of many callers. */
  async #tellCallers(): Promise<void> {
    const { signal } = this.#closing;
    try {
      while (this.#hasNews && !signal.aborted) {
        this.#hasNews = false;
        this.#options.onOutdated?.(this);
        await sleep(this.#pace.pauseMs, signal).catch(() => undefined);
        this.#pace.taken();
      }
    } finally {
      this.#isTelling = false;
    }
  }

  async #reread(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#isOutdated && !signal.aborted) {
      await this.#running;
      const restMs = this.#restMs(this.#pace.pauseMs);
      if (restMs > 0) {
        await sleep(restMs, signal).catch(() => undefined);
        continue;
      }
      await this.refresh();
      this.#pace.taken();
    }
  }

  /** How much is left of a pause since the last reading began. The pause is longer if that reading was much work. */
  #restMs(pauseMs: number): number {
    return this.#startedMs + Math.max(pauseMs, this.#shareMs) - this.#options.now();
  }

  get #shareMs(): number {
    return this.#workMs < BUSY.fromMs ? 0 : this.#workMs / BUSY.share;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#closing.abort();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#closing.signal.aborted) return;
    const { retryMs, maxRetryMs } = this.#times;
    const retry = Math.max(this.#shareMs, Math.min(maxRetryMs, retryMs * 2 ** (this.#failures - 1)));
    const pause = this.#failures > 0 ? retry : this.freshMs();
    this.#timer = setTimeout(() => void this.refresh(), pause).unref();
  }

  async #read(): Promise<void> {
    const { upstream, now, client, onNotification } = this.#options;
    const { signal } = this.#closing;
    this.#startedMs = now();
    this.#isOutdated = false;
    const bounds = this.#options.bounds ?? READ_BOUNDS;
    const era = await upstream.ready(signal);
    this.retry = typeof era === "string" ? undefined : era.retry;
    if (typeof era !== "string") return this.#failed(describeFailure({ fault: era }));
    this.era = era;
    if (this.isPerCaller) {
      this.#expiresMs = now() + this.#times.defaultMs;
      return this.#succeeded();
    }
    const offered = LIST_METHODS.filter((method) => this.offers(method));
    const notify = (message: Buffer) => onNotification(this, message);
    const outcomes = await Promise.all(
      offered.map((method) => readList({ upstream, method, era, client, bounds, now, signal, onNotification: notify })),
    );
    if (signal.aborted) return;
    const lists: Partial<Record<ListMethod, readonly ListEntry[]>> = {};
    const failures: string[] = [];
    let ttlMs = this.#times.maxMs;
    const takenMs = now();
    for (const [index, outcome] of outcomes.entries()) {
      const method = offered[index] as ListMethod;
      if (outcome.kind === "failed") failures.push(outcome.why);
      lists[method] = outcome.kind === "failed" ? this.lists[method] : outcome.entries;
      if (outcome.kind === "read") this.#report(method, outcome);
      if (outcome.kind === "read") ttlMs = Math.min(ttlMs, outcome.ttlMs ?? this.#times.defaultMs);
    }
    this.#take(lists);
    for (const method of LIST_METHODS) {
      const at = offered.indexOf(method);
      if (at < 0 || outcomes[at]?.kind === "read") this.#known.add(method);
    }
    this.#workMs = outcomes.reduce((sum, { workMs }) => sum + workMs, now() - takenMs);
    this.#expiresMs = now() + Math.max(ttlMs, this.#times.minMs, this.#shareMs);
    const [why] = failures;
    if (why === undefined) this.#succeeded();
    else this.#failed(why);
  }

  /** Every upstream is asked for tools; other lists only if it announced them. */
  offers(method: ListMethod): boolean {
    const { capability } = LISTS[method];
    return capability === "tools" || this.upstream.about?.capabilities[capability] !== undefined;
  }

  #take(read: Partial<Lists>): void {
    const changed = LIST_METHODS.filter((method) => !sameEntries(this.lists[method], read[method] ?? []));
    const before = this.lists;
    this.lists = {
      "tools/list": read["tools/list"] ?? [],
      "prompts/list": read["prompts/list"] ?? [],
      "resources/list": read["resources/list"] ?? [],
      "resources/templates/list": read["resources/templates/list"] ?? [],
    };
    try {
      this.#options.onRead(this, changed);
    } catch (error) {
      // Lists that cannot be merged must not stay: those of other upstreams are merged with them.
      this.lists = before;
      throw error;
    }
  }

  #succeeded(): void {
    if (this.#failures > 0) this.#options.observer.switched(this.#control, "back", "they are current");
    this.#failures = 0;
    this.listed = "current";
    this.listedMs = (this.#options.clock ?? Date.now)();
    this.why = undefined;
  }

  #failed(why: string): void {
    if (this.#closing.signal.aborted) return;
    this.listed = this.#hasRead ? "kept" : "never";
    this.why = why;
    this.#failures++;
    if (this.#failures > 1) return;
    const answer = this.#hasRead ? "the last ones are kept" : "it contributes nothing";
    const { observer, upstream } = this.#options;
    observer.switched(this.#control, "away", answer);
    observer.log("warn", "The lists of an upstream could not be read", { upstream: upstream.options.name, why });
  }

  #report(method: ListMethod, { refused, cut }: ReadList): void {
    if (refused > 0)
      this.#logOnce(
        method,
        "Entries of a list were left out: clients refuse them, a name or member is repeated, or a name is no plain text",
        {
          refused,
        },
      );
    if (cut) this.#logOnce(method, "A list is longer than the gateway reads; the rest is left out", {});
  }

  #logOnce(method: ListMethod, message: string, facts: Readonly<Record<string, unknown>>): void {
    if (this.#logged.has(method + message)) return;
    this.#logged.add(method + message);
    this.#options.observer.log("warn", message, { upstream: this.upstream.options.name, method, ...facts });
  }

  /** A list of tools that never came is not known to be empty. */
  get #hasRead(): boolean {
    return this.#known.has("tools/list");
  }

  get #control(): `lists of ${string}` {
    return `lists of ${this.upstream.options.name}`;
  }
}

function sameEntries(a: readonly ListEntry[], b: readonly ListEntry[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry.text === b[index]?.text);
}
