/** How long events can be read again, and how many of them. */
const RING_MS = 60_000;
const MAX_RING_EVENTS = 12_000;

interface KeptEvent {
  readonly number: number;
  readonly atMs: number;
  readonly bytes: Buffer;
}

/** The last events of a process, as they were sent. A stream that broke continues from them. */
export class LiveRing {
  /** The process that the events are numbered by. */
  name = "";
  readonly #now: () => number;
  readonly #maxEvents: number;
  /** The oldest first; those before `#first` are over. */
  #events: KeptEvent[] = [];
  #first = 0;
  #last = 0;

  /** `now` is a clock in ms. */
  constructor(now: () => number, maxEvents: number = MAX_RING_EVENTS) {
    this.#now = now;
    this.#maxEvents = maxEvents;
  }

  /** Adds an event. `json` is one line. Gives the event as it is sent. */
  add(event: string, json: string): Buffer {
    this.#last += 1;
    const atMs = this.#now();
    const bytes = Buffer.from(`id: ${this.name}-${this.#last}\nevent: ${event}\ndata: ${json}\n\n`);
    this.#events.push({ number: this.#last, atMs, bytes });
    while (
      this.#events.length - this.#first > this.#maxEvents ||
      (this.#events[this.#first]?.atMs ?? atMs) < atMs - RING_MS
    )
      this.#first += 1;
    // Removing the first of a long list for each event would cost more than the rest.
    if (this.#first > this.#maxEvents) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
    return bytes;
  }

  /** The events after the one with an id; undefined if it is of another process, or too long ago. */
  after(id: string): readonly Buffer[] | undefined {
    const [, name, digits] = /^([a-z0-9]{1,64})-([0-9]{1,15})$/.exec(id) ?? [];
    const number = Number(digits);
    if (name !== this.name || !(number <= this.#last)) return undefined;
    const kept = this.#events.slice(this.#first);
    // The event after it has to be there.
    const oldest = kept[0]?.number ?? this.#last + 1;
    if (number < oldest - 1) return undefined;
    return kept.filter((event) => event.number > number).map(({ bytes }) => bytes);
  }
}
