import { createIdBytes, formatId } from "../fault/id.ts";

/** Returns 16 random bytes for an id. */
export const randomBytes: () => Uint8Array = /* @__PURE__ */ createIdBytes((block) => crypto.getRandomValues(block));

/** A function that creates ids from a clock and random bytes of the platform. */
export function idGenerator(now: () => number): () => string {
  return () => formatId(now(), randomBytes());
}
