import { ID, ID_ALPHABET } from "../json/id-form.ts";

/** The value if it is the id of an incident. */
export function readIncident(value: unknown): string | undefined {
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
export function createIdBytes(fill: (block: Uint8Array<ArrayBuffer>) => void): () => Uint8Array {
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
