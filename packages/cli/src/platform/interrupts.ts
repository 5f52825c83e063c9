/** The signals that ask a program to end. On Windows Ctrl-C is SIGINT, and closing the window is SIGHUP. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const satisfies readonly NodeJS.Signals[];

/** What the signals of the system do. */
export interface Interrupts {
  /** Calls `listener` for each SIGHUP, which ends nothing from then on. Returns what takes that back. */
  onHangup(listener: () => void): () => void;
  /** Gives all signals back. */
  stop(): void;
}

/** Calls `first` when the program is asked to end, and `again` each time after. */
export function onInterrupt(first: () => void, again: () => void): Interrupts {
  let asked = false;
  const hangups = new Set<() => void>();
  const listener = (signal: NodeJS.Signals) => {
    if (signal === "SIGHUP" && hangups.size > 0) {
      for (const one of hangups) one();
      return;
    }
    if (asked) return again();
    asked = true;
    first();
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    onHangup(one) {
      hangups.add(one);
      return () => hangups.delete(one);
    },
    stop() {
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}
