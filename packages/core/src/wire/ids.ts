// Ids that sort by time: 48 bits of it, then 80 random bits, as 26 characters.

/** Crockford's base 32. */
const ID_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** An id made by `formatId`: 26 characters of Crockford's base 32. Ids sort by time. */
export const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The time in an id, in ms since 1970; undefined for a text that is not an id. */
export function timeOfId(id: string): number | undefined {
  if (!ID.test(id)) return undefined;
  let timeMs = 0;
  for (const digit of id.slice(0, 10)) timeMs = timeMs * 32 + ID_ALPHABET.indexOf(digit);
  return timeMs;
}

/** The value if it is an id. */
export function readId(value: unknown): string | undefined {
  return typeof value === "string" && ID.test(value) ? value : undefined;
}

/** An opaque id that sorts by time, from a time in milliseconds and 16 random bytes, of which 80 bits are used. */
export function formatId(timeMs: number, random: Uint8Array): string {
  let time = Math.max(0, Math.min(Math.floor(timeMs), 2 ** 48 - 1)) || 0;
  let head = "";
  for (let i = 0; i < 10; i++) {
    head = ID_ALPHABET[time % 32] + head;
    time = Math.floor(time / 32);
  }
  let tail = "";
  for (let i = 0; i < 16; i++) tail += ID_ALPHABET[(random[i] ?? 0) % 32];
  return head + tail;
}

const ID_BYTES = 16;
const IDS_PER_BLOCK = 256;

/**
 * A function that returns 16 random bytes each time. They are drawn in blocks, since a call of the platform costs more
 * than the rest of an id.
 */
function createIdBytes(fill: (block: Uint8Array<ArrayBuffer>) => void): () => Uint8Array {
  const block = new Uint8Array(ID_BYTES * IDS_PER_BLOCK);
  let used = block.length;
  return () => {
    if (used === block.length) {
      fill(block);
      used = 0;
    }
    used += ID_BYTES;
    return block.slice(used - ID_BYTES, used);
  };
}

/** Returns 16 random bytes for an id. */
export const randomBytes: () => Uint8Array = /* @__PURE__ */ createIdBytes((block) => crypto.getRandomValues(block));

/** A function that creates ids from a clock and random bytes of the platform. */
export function idGenerator(now: () => number): () => string {
  return () => formatId(now(), randomBytes());
}
