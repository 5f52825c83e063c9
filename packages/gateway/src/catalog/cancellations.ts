import { NewestMap } from "@recourse/core/wire";
import { sha256Hex } from "../call/binding.ts";
import type { Call, Cancellation } from "../call/call.ts";

/** Calls of the older era that can be cancelled are remembered up to this number; the oldest is forgotten first. */
const MAX_CANCELLABLE = 10_000;
/** Ids and sessions are as long as callers make them: longer ones are remembered by their digest. */
const MAX_CANCELLATION_KEY = 512;

/** The calls of one caller that are under way with one id. */
interface OpenCalls {
  /** Undefined if there are several, since it is unknown which of them is meant. */
  only: Cancellation | undefined;
  count: number;
}

/** The calls of the older era that `notifications/cancelled` can end, on this replica. */
export class Cancellations {
  readonly #open = new NewestMap<string, OpenCalls>(MAX_CANCELLABLE);

  get size(): number {
    return this.#open.size;
  }

  /**
   * Remembers a call until it has ended. If two calls of a caller have the same id at once, neither can be cancelled.
   */
  add(call: Call): void {
    const key = cancellationKey(call, call.message?.id);
    const cancellation: Cancellation = { run: undefined, isOver: false };
    call.cancellation = cancellation;
    const open = this.#join(key, cancellation);
    this.#open.set(key, open);
    call.afterwards ??= [];
    call.afterwards.push(() => {
      open.count -= 1;
      if (open.count === 0 && this.#open.get(key) === open) this.#open.delete(key);
    });
  }

  /** Ends the call that a notification names. Calls that are not known, or not under way any more, are ignored. */
  cancel(notification: Call): void {
    const id = notification.message?.params?.["requestId"];
    if (typeof id !== "string" && typeof id !== "number") return;
    this.#open.get(cancellationKey(notification, id))?.only?.run?.();
  }

  #join(key: string, cancellation: Cancellation): OpenCalls {
    const open = this.#open.get(key);
    if (open === undefined || open.only?.isOver === true) return { only: cancellation, count: 1 };
    open.only = undefined;
    open.count += 1;
    return open;
  }
}

/** Clients of one caller use the same ids, so a session and an address tell them apart as well. */
function cancellationKey({ caller, origin: { head } }: Call, id: string | number | undefined): string {
  const key = `${typeof id} ${id}\n${head.address}\n${head.header("mcp-session-id") ?? ""}\n${caller?.id}`;
  return key.length > MAX_CANCELLATION_KEY ? sha256Hex(key) : key;
}
