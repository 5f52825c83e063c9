// Simulated time: it passes from one event to the next, so hours pass in seconds.
type Fire = () => void;
interface SimulatedEvent {
  readonly atMs: number;
  readonly order: number;
  readonly fire: Fire;
  readonly needs: Promise<unknown> | undefined;
}

/** Events in the order of their time. Those of the same time happen in the order in which they were planned. */
export class Timeline {
  readonly #heap: SimulatedEvent[] = [];
  #order = 0;
  nowMs = 0;

  /** Plans an event. One that resolves a promise has `needs`: what has to be settled before, and it may be settled already. */
  at(atMs: number, fire: Fire, { needs }: { readonly needs?: Promise<unknown> } = {}): SimulatedEvent {
    const event = { atMs, order: this.#order++, fire, needs };
    let index = this.#heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(event, this.#heap[parent] as SimulatedEvent)) break;
      this.#heap[index] = this.#heap[parent] as SimulatedEvent;
      index = parent;
    }
    this.#heap[index] = event;
    return event;
  }

  async run(untilMs: number): Promise<void> {
    for (let event = this.#heap[0]; event !== undefined && event.atMs <= untilMs; event = this.#heap[0]) {
      if (event.needs !== undefined) await event.needs;
      this.#removeFirst();
      this.nowMs = event.atMs;
      event.fire();
      // Everything that a promise causes happens before the next event.
      if (event.needs !== undefined) await new Promise(setImmediate);
    }
    this.nowMs = untilMs;
  }

  #removeFirst(): void {
    const last = this.#heap.pop() as SimulatedEvent;
    if (this.#heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const right = this.#heap[child + 1];
      if (right !== undefined && isBefore(right, this.#heap[child] as SimulatedEvent)) child += 1;
      const next = this.#heap[child];
      if (next === undefined || !isBefore(next, last)) break;
      this.#heap[index] = next;
      index = child;
    }
    this.#heap[index] = last;
  }
}

function isBefore(one: SimulatedEvent, other: SimulatedEvent): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}

const SETTLED = Promise.resolve();

/** Lets the timers of this process follow the timeline. Gives what brings the real ones back. */
export function replaceTimers(timeline: Timeline): () => void {
  const real = { setTimeout, setInterval, clearTimeout, clearInterval };
  class Timer {
    isOn = true;
    unref(): this {
      return this;
    }
  }
  const start = (fire: Fire, ms: number, repeats: boolean) => {
    const timer = new Timer();
    const wait = () => {
      const ring = () => {
        if (!timer.isOn) return;
        if (repeats) wait();
        fire();
      };
      timeline.at(timeline.nowMs + Math.max(1, ms), ring, { needs: SETTLED });
    };
    wait();
    return timer;
  };
  const stop = (timer: unknown) => {
    if (timer instanceof Timer) timer.isOn = false;
    else real.clearTimeout(timer as NodeJS.Timeout);
  };
  Object.assign(globalThis, {
    setTimeout: (fire: Fire, ms = 0) => start(fire, ms, false),
    setInterval: (fire: Fire, ms = 0) => start(fire, ms, true),
    clearTimeout: stop,
    clearInterval: stop,
  });
  return () => void Object.assign(globalThis, real);
}
