const SIZE = 16;
const block = new Uint8Array(SIZE * 256);
let used = block.length;

/** 16 random bytes for an id, fetched in blocks: asking the system each time costs more than the rest of a failure's id. */
export function randomBytes(): Uint8Array {
  if (used === block.length) {
    crypto.getRandomValues(block);
    used = 0;
  }
  used += SIZE;
  return block.slice(used - SIZE, used);
}
