import { knownKind } from "@recourse/core";
import type { Call, Step } from "../call/call.ts";
import { inBackground, type UnexpectedObserver } from "../call/observer.ts";

/** How often it is checked that the caller of a stream may still have it. */
const RECHECK_MS = 60_000;

/** Checks from time to time that the caller of a stream may still have it. */
export class CallerCheck {
  readonly #timer: NodeJS.Timeout;
  readonly #ended = new AbortController();

  /** @param steps The steps of the call that find out who the caller is. */
  constructor(call: Call, steps: readonly Step[], observer: UnexpectedObserver) {
    const check = async () => {
      if (!(await mayStay(call, steps))) this.end();
    };
    this.#timer = setInterval(() => inBackground("check of a stream", observer, check()), RECHECK_MS).unref();
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  end(): void {
    this.#ended.abort();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Whether the credential and the session of a stream are still good. A store that is down ends nothing. */
async function mayStay(call: Call, steps: readonly Step[]): Promise<boolean> {
  for (const step of steps) {
    const fault = await step(call);
    if (fault !== undefined) return knownKind(fault) === "unavailable";
  }
  return true;
}
