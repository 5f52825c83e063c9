import { isObject, memberAt } from "@recourse/core/wire";
import type { ListMethod } from "./read-list.ts";

/** The changes of lists that a caller can listen for: the notification, and the capability that announces it. */
export const CHANGES = {
  toolsListChanged: { method: "notifications/tools/list_changed", capability: "tools", lists: ["tools/list"] },
  promptsListChanged: { method: "notifications/prompts/list_changed", capability: "prompts", lists: ["prompts/list"] },
  resourcesListChanged: {
    method: "notifications/resources/list_changed",
    capability: "resources",
    lists: ["resources/list", "resources/templates/list"],
  },
} as const satisfies Readonly<Record<string, { method: string; capability: string; lists: readonly ListMethod[] }>>;

export const RESOURCE_UPDATED = "notifications/resources/updated";

export type ListChange = keyof typeof CHANGES;
const LIST_CHANGES = Object.keys(CHANGES) as ListChange[];

export interface ListenFilter {
  readonly changes: ReadonlySet<ListChange>;
  readonly uris: readonly string[];
}

/** A stream follows at most this many resources; those beyond are not acknowledged. */
export const MAX_URIS = 1_000;

/** The filter in the params of `subscriptions/listen`. Undefined if it is missing or malformed. */
export function readFilter(params: unknown): ListenFilter | undefined {
  const asked = memberAt(params, "notifications");
  if (!isObject(asked)) return undefined;
  const changes = new Set<ListChange>();
  for (const change of LIST_CHANGES) {
    const wanted = memberAt(asked, change);
    if (wanted !== undefined && typeof wanted !== "boolean") return undefined;
    if (wanted === true) changes.add(change);
  }
  const uris = memberAt(asked, "resourceSubscriptions") ?? [];
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === "string")) return undefined;
  return { changes, uris: [...new Set<string>(uris)].slice(0, MAX_URIS) };
}

export function listChangeFor(method: string): ListChange | undefined {
  return LIST_CHANGES.find((change) => CHANGES[change].method === method);
}

export function changesIn(changed: readonly ListMethod[]): ReadonlySet<ListChange> {
  return new Set(
    LIST_CHANGES.filter((change) => CHANGES[change].lists.some((method: ListMethod) => changed.includes(method))),
  );
}

/** The same notification goes to one caller no more often than this. */
const NOTICE_PAUSE_MS = 250;

/** A notification that something has changed: one after several changes is enough. */
interface Notice {
  readonly method: string;
  readonly uri?: string | undefined;
}

/**
 * The notifications of one stream. An upstream decides how often they come, so those that come close together wait a moment, and
 * equal ones become one. None is lost, and no more wait than a caller has asked for.
 */
export class NoticeQueue {
  readonly #write: (notice: Notice) => boolean;
  readonly #waiting = new Map<string, Notice>();
  #timer: NodeJS.Timeout | undefined;
  #state: "new" | "open" | "closed" = "new";

  /** @param write Writes a notification; false if it cannot be written now and has to wait. */
  constructor(write: (notice: Notice) => boolean) {
    this.#write = write;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Sends a notification, at once or after the pause. Nothing is sent before the stream is open. */
  send(notice: Notice): void {
    if (this.#state === "closed") return;
    this.#waiting.set(`${notice.method} ${notice.uri}`, notice);
    if (this.#state === "open" && this.#timer === undefined) this.#flush();
  }

  open(): void {
    if (this.#state !== "new") return;
    this.#state = "open";
    this.#flush();
  }

  /** Nothing is sent any more. */
  close(): void {
    this.#state = "closed";
    this.#waiting.clear();
    clearTimeout(this.#timer);
  }

  #flush(): void {
    this.#timer = undefined;
    if (this.#waiting.size === 0) return;
    for (const [key, notice] of [...this.#waiting]) {
      if (!this.#write(notice)) break;
      this.#waiting.delete(key);
    }
    this.#timer = setTimeout(() => this.#flush(), NOTICE_PAUSE_MS).unref();
  }
}

/** How often an upstream can make its lists be read. */
export interface NoticeTimes {
  /** Notifications that a list has changed make it be read no more often than this, when they come after a quiet time. */
  readonly noticeMs: number;
  /** The pause doubles with each reading that they cause, up to this. Twice as long without a notification is a quiet time. */
  readonly maxNoticeMs: number;
}

/** The pauses between readings that an upstream itself asks for. An upstream whose lists change all the time is read slowly. */
export class NoticePace {
  readonly #times: NoticeTimes;
  readonly #now: () => number;
  #pauseMs: number;
  #noticedMs = Number.NEGATIVE_INFINITY;

  /** @param now Monotonic time in ms. */
  constructor(times: NoticeTimes, now: () => number) {
    this.#times = times;
    this.#now = now;
    this.#pauseMs = times.noticeMs;
  }

  noticed(): void {
    const { noticeMs, maxNoticeMs } = this.#times;
    const nowMs = this.#now();
    if (nowMs - this.#noticedMs > 2 * maxNoticeMs) this.#pauseMs = noticeMs;
    this.#noticedMs = nowMs;
  }

  /** How long to wait from the start of one reading to the start of the next. */
  get pauseMs(): number {
    return this.#pauseMs;
  }

  /** Whether the next reading is the first one after a quiet time. */
  get isFirst(): boolean {
    return this.#pauseMs === this.#times.noticeMs;
  }

  /** A reading begins because of what was noticed. */
  taken(): void {
    this.#pauseMs = Math.min(this.#times.maxNoticeMs, this.#pauseMs * 2);
  }
}
