import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { setImmediate } from "node:timers/promises";
import { vi } from "vitest";

const CHANNEL = "http.client.request.created";
/** What an answer leads to begins within these turns of the event loop. */
const QUIET_TURNS = 20;

/** The clock of a probe over HTTP in this process: time passes whenever every request waits for it, and only then. */
export class ProbeClock implements Disposable {
  readonly #underWay = new Set<ClientRequest>();
  /** The ports of clients whose requests nothing but time ends. */
  readonly #waiting = new Set<number | undefined>();
  #isPassing = false;

  constructor() {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    subscribe(CHANNEL, this.#add);
  }

  readonly #add = (message: unknown): void => {
    const { request } = message as { readonly request: ClientRequest };
    this.#underWay.add(request);
    request.once("close", () => this.#underWay.delete(request));
  };

  /** Notes that nothing but time ends the request from this port. Returns a function that takes it back. */
  note(port: number | undefined): () => void {
    this.#waiting.add(port);
    if (!this.#isPassing) void this.#pass();
    return () => void this.#waiting.delete(port);
  }

  async #pass(): Promise<void> {
    this.#isPassing = true;
    for (let quiet = 0; this.#waiting.size > 0; quiet += 1) {
      await setImmediate();
      for (const { socket } of this.#underWay) if (!this.#waiting.has(socket?.localPort)) quiet = 0;
      if (quiet < QUIET_TURNS) continue;
      vi.advanceTimersToNextTimer();
      quiet = 0;
    }
    this.#isPassing = false;
  }

  [Symbol.dispose](): void {
    unsubscribe(CHANNEL, this.#add);
    vi.useRealTimers();
  }
}
