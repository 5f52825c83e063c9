/** The same notification goes to one caller no more often than this. */
const PAUSE_MS = 250;

/** A notification that something has changed: to hear of it once after several changes is enough. */
interface Notice {
  readonly method: string;
  /** The resource, where it is about one. */
  readonly uri?: string | undefined;
}

/**
 * The notifications of one stream. An upstream decides how often they come, so those that come close together wait a moment, and
 * equal ones become one. None is lost, and no more wait than a caller has asked for.
 */
export class Notices {
  readonly #write: (notice: Notice) => void;
  readonly #waiting = new Map<string, Notice>();
  #timer: NodeJS.Timeout | undefined;
  #state: "new" | "open" | "closed" = "new";

  constructor(write: (notice: Notice) => void) {
    this.#write = write;
  }

  /** Sends a notification, at once or after the pause. Nothing is sent before the stream is open. */
  send(notice: Notice): void {
    if (this.#state === "closed") return;
    this.#waiting.set(`${notice.method} ${notice.uri}`, notice);
    if (this.#state === "open" && this.#timer === undefined) this.#flush();
  }

  /** The stream has begun. */
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
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const notice of waiting) this.#write(notice);
    this.#timer = setTimeout(() => this.#flush(), PAUSE_MS).unref();
  }
}
