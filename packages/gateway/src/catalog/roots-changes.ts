import { hasHandshake } from "@recourse/core/wire";
import { readSubjectToken } from "../auth/authenticator.ts";
import type { Call } from "../call/call.ts";
import { inBackground, type UnexpectedObserver } from "../call/observer.ts";
import { upstreamSessionKey } from "../call/session.ts";
import type { UpstreamLists } from "./upstream-lists.ts";
import type { View } from "./view.ts";

export interface RootsChangesOptions {
  readonly all: readonly UpstreamLists[];
  readonly observer: UnexpectedObserver;
  createView(call: Call): View;
}

export const ROOTS_CHANGED = "notifications/roots/list_changed";

const ROOTS_MS = 5_000;
const NEVER_ENDED = new AbortController().signal;
const EMPTY_PARAMS = Buffer.from("{}");

interface RootsNotice {
  /** The roots have changed once more meanwhile. */
  isOld: boolean;
}

/**
 * Tells the upstreams of a session that the roots of its caller have changed: those of the older era in which the
 * session is open. One round is under way for each session; changes that come meanwhile make one more.
 */
export class RootsChanges {
  readonly #options: RootsChangesOptions;
  readonly #running = new Map<string, RootsNotice>();

  constructor(options: RootsChangesOptions) {
    this.#options = options;
  }

  pass(call: Call): void {
    if (call.session?.abilities.roots !== true) return;
    const key = upstreamSessionKey(call);
    const running = this.#running.get(key);
    if (running !== undefined) {
      running.isOld = true;
      return;
    }
    const notice = { isOld: false };
    this.#running.set(key, notice);
    const told = this.#tellAll(call, key, notice).finally(() => this.#running.delete(key));
    inBackground("change of roots", this.#options.observer, told);
  }

  async #tellAll(call: Call, key: string, notice: RootsNotice): Promise<void> {
    do {
      notice.isOld = false;
      const view = this.#options.createView(call);
      // A process that callers share never learned about the roots of a caller.
      const told = this.#options.all.filter(
        (lists) => hasHandshake(lists.era) && view.reaches(lists) && !isSharedByCallers(lists),
      );
      await Promise.all(told.map((lists) => tell(lists, call, key)));
    } while (notice.isOld);
  }
}

function isSharedByCallers({ upstream: { options } }: UpstreamLists): boolean {
  return "per" in options && options.per === "replica";
}

async function tell({ upstream }: UpstreamLists, call: Call, key: string): Promise<void> {
  const { caller, session } = call;
  if (caller === undefined || session === undefined) return;
  await upstream.send({
    method: ROOTS_CHANGED,
    target: undefined,
    id: undefined,
    params: EMPTY_PARAMS,
    parsed: undefined,
    session: key,
    caller,
    abilities: session.abilities,
    subjectToken: readSubjectToken(call, upstream.options),
    timeoutMs: ROOTS_MS,
    signal: NEVER_ENDED,
    onNotification() {},
  });
}
