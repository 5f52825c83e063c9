import { cancelled, timeout } from "../library/core.ts";
import { peekString } from "./peek.ts";
import { plain, type Recogniser } from "./recogniser.ts";

const NAMES = {
  AbortError: plain(cancelled),
  CanceledError: plain(cancelled),
  CancelledError: plain(cancelled),
  TimeoutError: plain(timeout),
} as const;

/** Aborts and timeouts, as platforms and the common HTTP clients name them. */
export const recogniseAbort: Recogniser = (value) => {
  const name = platformName(value) ?? peekString(value, "name");
  if (name !== undefined && Object.hasOwn(NAMES, name)) return NAMES[name as keyof typeof NAMES];
  return peekString(value, "code") === "ABORT_ERR" ? NAMES.AbortError : undefined;
};

interface Platform {
  readonly DOMException?: { readonly prototype: object };
}

/** A DOMException keeps its name behind a getter of the platform, which refuses any other receiver. */
function platformName(value: unknown): string | undefined {
  const prototype = (globalThis as Platform).DOMException?.prototype;
  if (prototype === undefined) return undefined;
  try {
    // Asking first is much cheaper than the getter's refusal.
    if (!Object.prototype.isPrototypeOf.call(prototype, value as object)) return undefined;
    const name: unknown = Reflect.getOwnPropertyDescriptor(prototype, "name")?.get?.call(value);
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}
