import type { Call, Cancellation } from "../pipeline/call.ts";

/** Calls of the older era that can be cancelled are remembered up to this number; the oldest is forgotten first. */
const MAX_REMEMBERED = 10_000;

/** The calls of the older era that `notifications/cancelled` can end, on this replica. */
export class Cancellations {
  readonly #open = new Map<string, Cancellation>();

  /** Remembers a call. Where two calls of a caller have the same id at once, neither can be cancelled. */
  add(call: Call): void {
    const key = keyOf(call, call.message?.id);
    const before = this.#open.get(key);
    const cancellation: Cancellation = { run: undefined, isOver: false };
    call.cancellation = cancellation;
    this.#open.delete(key);
    this.#open.set(key, before === undefined || before.isOver ? cancellation : { run: undefined, isOver: false });
    if (this.#open.size <= MAX_REMEMBERED) return;
    for (const oldest of this.#open.keys()) {
      this.#open.delete(oldest);
      break;
    }
  }

  /** Ends the call that a notification names. Calls that are not known, or not under way any more, are ignored. */
  cancel(notification: Call): void {
    const id = notification.message?.params?.["requestId"];
    if (typeof id !== "string" && typeof id !== "number") return;
    this.#open.get(keyOf(notification, id))?.run?.();
  }
}

/** Clients of one caller use the same ids, so a session and an address tell them apart as well. */
function keyOf({ caller, origin: { head } }: Call, id: string | number | undefined): string {
  return `${typeof id} ${id}\n${head.address}\n${head.header("mcp-session-id") ?? ""}\n${caller?.id}`;
}
