/** How much is remembered. A fault passes the HTTP edge of its own process within moments. */
const MAX_REMEMBERED = 1_000;

/** The JSON of faults, and of errors in a dialect, that this process has finished; the oldest first. */
const sent = new Set<string>();

/** Remembers a fault, or an error in a dialect, that leaves a guarded server, so that the HTTP edge of this process knows it. */
export function rememberSent(finished: object): void {
  sent.add(JSON.stringify(finished));
  if (sent.size <= MAX_REMEMBERED) return;
  const [oldest] = sent;
  if (oldest !== undefined) sent.delete(oldest);
}

/** Whether this process wrote a fault or an error that is found in an answer. Any other may be the word of another program. */
export function wasSentHere(value: unknown): boolean {
  return value !== undefined && sent.has(JSON.stringify(value));
}
