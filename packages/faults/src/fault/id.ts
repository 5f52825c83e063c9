const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** What an id of ours looks like: 26 characters of Crockford's base 32, sortable by time. */
export const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** A sortable, opaque id from a time in ms and 16 random bytes (of which 80 bits are used); pure. */
export function formatId(timeMs: number, random: Uint8Array): string {
  let time = Math.max(0, Math.min(Math.floor(timeMs), 2 ** 48 - 1)) || 0;
  let head = "";
  for (let i = 0; i < 10; i++) {
    head = ALPHABET[time % 32] + head;
    time = Math.floor(time / 32);
  }
  let tail = "";
  for (let i = 0; i < 16; i++) tail += ALPHABET[(random[i] ?? 0) % 32];
  return head + tail;
}

const BYTES = 16;
const AT_ONCE = 256;

/** Gives 16 bytes for an id each time, filled in blocks: asking the platform for each costs more than the rest of the id. */
export function createIdBytes(fill: (block: Uint8Array<ArrayBuffer>) => void): () => Uint8Array {
  const block = new Uint8Array(BYTES * AT_ONCE);
  let used = block.length;
  return () => {
    if (used === block.length) {
      fill(block);
      used = 0;
    }
    used += BYTES;
    return block.slice(used - BYTES, used);
  };
}
