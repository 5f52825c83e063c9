import type { Fault } from "../fault/fault.ts";

/** How many faults are remembered. A fault passes the HTTP edge of its own process within moments. */
const MAX_REMEMBERED = 1_000;

/** The JSON of faults that this process has finished, the oldest first. */
const sent = new Set<string>();

/** Remembers a fault that leaves a guarded server, so that the HTTP edge of the same process knows it again. */
export function rememberSent(fault: Fault): void {
  sent.add(JSON.stringify(fault));
  if (sent.size <= MAX_REMEMBERED) return;
  const [oldest] = sent;
  if (oldest !== undefined) sent.delete(oldest);
}

/** Whether this process wrote a fault that is found in an answer. Any other may be the word of another program. */
export function wasSentHere(value: unknown): boolean {
  return value !== undefined && sent.has(JSON.stringify(value));
}
