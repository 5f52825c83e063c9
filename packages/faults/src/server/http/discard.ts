// A body that is not read stays on the connection, and the next request of that connection waits behind it.
import { race } from "../../async/race.ts";
import { sleep } from "../../platform/sleep.ts";

const MAX_BYTES = 32 * 1_024 * 1_024;
const MAX_MS = 2_000;

/** Throws away the body of a request that is refused. It does not wait for it. */
export function discardBody({ body }: Request): void {
  if (body !== null && !body.locked) void discard(body.getReader());
}

/** Reads a stream to its end and keeps nothing; cancels it where it does not end soon. */
export async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    await race(readOut(reader), { ms: MAX_MS, sleep });
    await reader.cancel();
  } catch {
    // The sender is gone, so nothing is left.
  }
}

async function readOut(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let size = 0; size <= MAX_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return;
    // Small and strange pieces count as a kilobyte, so that the loop ends.
    size += value.byteLength > 1_024 ? value.byteLength : 1_024;
  }
}
