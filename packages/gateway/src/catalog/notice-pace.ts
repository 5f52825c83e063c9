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

  /** The upstream says that something has changed. */
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
