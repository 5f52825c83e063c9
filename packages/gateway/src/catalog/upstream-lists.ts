import type { RetryAdvice } from "@recourse/faults";
import { sleep } from "@recourse/faults/internal-do-not-use";
import type { Observer } from "../telemetry/observer.ts";
import type { Era, Upstream } from "../upstreams/upstream.ts";
import { type Entry, LIST_METHODS, LISTS, type ListMethod } from "./entry.ts";
import { READ_BOUNDS, type ReadBounds, type ReadList, readList } from "./read-list.ts";

/** How often lists are read. */
export interface RefreshTimes {
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
  /** The same for notifications that a list has changed. */
  readonly noticeMs: number;
}

export const REFRESH_TIMES: RefreshTimes = {
  defaultMs: 60_000,
  minMs: 5_000,
  maxMs: 3_600_000,
  retryMs: 1_000,
  maxRetryMs: 30_000,
  demandMs: 1_000,
  noticeMs: 200,
};

export interface UpstreamListsOptions {
  readonly upstream: Upstream;
  readonly observer: Observer;
  readonly client: { readonly name: string; readonly version: string };
  readonly now: () => number;
  readonly times?: RefreshTimes | undefined;
  readonly bounds?: ReadBounds | undefined;
  /** Lists that were read before, by the catalog of another configuration. */
  readonly last?: Lists | undefined;
  /** The lists were read; the methods whose lists have changed. */
  readonly onRead: (lists: UpstreamLists, changed: readonly ListMethod[]) => void;
  /** A notification came while a list was read. */
  readonly onNotification: (lists: UpstreamLists, message: Buffer) => void;
}

/** The entries of one upstream, by the method that lists them. */
export type Lists = Readonly<Record<ListMethod, readonly Entry[]>>;

/** The lists of one upstream. They are read again and again in the background, and stay when the upstream is away. */
export class UpstreamLists {
  readonly upstream: Upstream;
  /** Undefined before the upstream was ready for the first time. */
  era: Era | undefined = undefined;
  /** `never`: no list was read yet. `kept`: the last attempt to read it failed. */
  listed: "never" | "current" | "kept" = "never";
  /** When an upstream that is not ready may be tried again, as its adapter says. */
  retry: RetryAdvice | undefined = undefined;
  lists: Lists = { "tools/list": [], "prompts/list": [], "resources/list": [], "resources/templates/list": [] };
  readonly #options: UpstreamListsOptions;
  readonly #times: RefreshTimes;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #first: Promise<void> | undefined;
  #rereading: Promise<void> | undefined;
  #isOutdated = false;
  #startedMs = Number.NEGATIVE_INFINITY;
  #expiresMs = 0;
  #failures = 0;
  #hasRead = false;
  readonly #logged = new Set<string>();

  constructor(options: UpstreamListsOptions) {
    this.upstream = options.upstream;
    this.#options = options;
    this.#times = options.times ?? REFRESH_TIMES;
    const reading = this.refresh();
    if (options.last === undefined) {
      this.#first = reading.finally(() => {
        this.#first = undefined;
      });
      return;
    }
    this.lists = options.last;
    this.listed = "kept";
    this.#hasRead = true;
  }

  /** The first attempt has ended, well or badly. */
  get isTried(): boolean {
    return this.#first === undefined;
  }

  /** The lists for another catalog; undefined where none was read yet. */
  get last(): Lists | undefined {
    return this.#hasRead ? this.lists : undefined;
  }

  /** The attempt that has to end before the lists are worth showing: the first one, or one after a notification. */
  get settling(): Promise<void> | undefined {
    return this.#first ?? this.#rereading;
  }

  /** How long the lists may be used without asking again. */
  freshMs(): number {
    return Math.max(0, Math.floor(this.#expiresMs - this.#options.now()));
  }

  /** Reads the lists. Callers share an attempt that is under way. */
  refresh(): Promise<void> {
    this.#running ??= this.#read().finally(() => {
      this.#running = undefined;
      this.#schedule();
    });
    return this.#running;
  }

  /** Reads the lists because of a name that is not in them. Undefined where they were read a moment ago. */
  refreshOnDemand(): Promise<void> | undefined {
    // An attempt that is under way may have asked before the upstream changed, but it is young enough to be waited for.
    if (this.#running !== undefined) return this.#running;
    if (this.#options.now() - this.#startedMs < this.#times.demandMs) return undefined;
    return this.refresh();
  }

  /** The upstream says that its lists have changed: what is being read now may be too old already. */
  invalidate(): void {
    this.#isOutdated = true;
    this.#rereading ??= this.#reread().finally(() => {
      this.#rereading = undefined;
    });
  }

  async #reread(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#isOutdated && !signal.aborted) {
      await this.#running;
      const pause = this.#startedMs + this.#times.noticeMs - this.#options.now();
      if (pause > 0) await sleep(pause, signal).catch(() => undefined);
      this.#isOutdated = false;
      await this.refresh();
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#closing.abort();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#closing.signal.aborted) return;
    const { retryMs, maxRetryMs } = this.#times;
    const pause = this.#failures > 0 ? Math.min(maxRetryMs, retryMs * 2 ** (this.#failures - 1)) : this.freshMs();
    this.#timer = setTimeout(() => void this.refresh(), pause).unref();
  }

  async #read(): Promise<void> {
    const { upstream, now, client, onNotification } = this.#options;
    const { signal } = this.#closing;
    this.#startedMs = now();
    const bounds = this.#options.bounds ?? READ_BOUNDS;
    const era = await upstream.ready(signal);
    this.retry = typeof era === "string" ? undefined : era.retry;
    if (typeof era !== "string") return this.#failed(era.reason);
    this.era = era;
    const offered = LIST_METHODS.filter((method) => this.#offers(method));
    const notify = (message: Buffer) => onNotification(this, message);
    const outcomes = await Promise.all(
      offered.map((method) => readList({ upstream, method, era, client, bounds, now, signal, onNotification: notify })),
    );
    if (signal.aborted) return;
    const lists: Partial<Record<ListMethod, readonly Entry[]>> = {};
    const failures: string[] = [];
    let ttlMs = this.#times.maxMs;
    for (const [index, outcome] of outcomes.entries()) {
      const method = offered[index] as ListMethod;
      if (outcome.kind === "failed") failures.push(outcome.why);
      lists[method] = outcome.kind === "failed" ? this.lists[method] : outcome.entries;
      if (outcome.kind === "read") this.#report(method, outcome);
      if (outcome.kind === "read") ttlMs = Math.min(ttlMs, outcome.ttlMs ?? this.#times.defaultMs);
    }
    // Tools come first in the table. A list of tools that never came is not known to be empty.
    this.#hasRead ||= outcomes[0]?.kind === "read";
    this.#take(lists);
    this.#expiresMs = now() + Math.max(this.#times.minMs, ttlMs);
    const [why] = failures;
    if (why === undefined) this.#succeeded();
    else this.#failed(why);
  }

  /** Every upstream is asked for tools; other lists only if it announced them. */
  #offers(method: ListMethod): boolean {
    const { capability } = LISTS[method];
    return capability === "tools" || this.upstream.about?.capabilities[capability] !== undefined;
  }

  #take(read: Partial<Lists>): void {
    const changed = LIST_METHODS.filter((method) => !sameEntries(this.lists[method], read[method] ?? []));
    this.lists = {
      "tools/list": read["tools/list"] ?? [],
      "prompts/list": read["prompts/list"] ?? [],
      "resources/list": read["resources/list"] ?? [],
      "resources/templates/list": read["resources/templates/list"] ?? [],
    };
    this.#options.onRead(this, changed);
  }

  #succeeded(): void {
    if (this.#failures > 0) this.#options.observer.switched(this.#control, "back", "they are current");
    this.#failures = 0;
    this.listed = "current";
  }

  #failed(why: string): void {
    if (this.#closing.signal.aborted) return;
    this.listed = this.#hasRead ? "kept" : "never";
    this.#failures++;
    if (this.#failures > 1) return;
    const answer = this.#hasRead ? "the last ones are kept" : "it contributes nothing";
    const { observer, upstream } = this.#options;
    observer.switched(this.#control, "away", answer);
    observer.log("warn", "The lists of an upstream could not be read", { upstream: upstream.options.name, why });
  }

  #report(method: ListMethod, { refused, cut }: ReadList): void {
    if (refused > 0) this.#logOnce(method, "Entries of a list were left out, since clients refuse them", { refused });
    if (cut) this.#logOnce(method, "A list is longer than the gateway reads; the rest is left out", {});
  }

  #logOnce(method: ListMethod, message: string, facts: Readonly<Record<string, unknown>>): void {
    if (this.#logged.has(method + message)) return;
    this.#logged.add(method + message);
    this.#options.observer.log("warn", message, { upstream: this.upstream.options.name, method, ...facts });
  }

  get #control(): `lists of ${string}` {
    return `lists of ${this.upstream.options.name}`;
  }
}

function sameEntries(a: readonly Entry[], b: readonly Entry[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry.text === b[index]?.text);
}
