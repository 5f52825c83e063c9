// Clocks and ids that are the same in every run.
import { formatId } from "@recourse/core";

const STARTED = Date.UTC(2026, 10, 15, 9, 30);

/** A clock that moves only when somebody waits. */
export interface FixedClock {
  readonly now: () => number;
  readonly advance: (ms: number) => void;
  readonly sleep: (ms: number) => Promise<void>;
}

export function fixedClock(): FixedClock {
  let time = STARTED;
  const advance = (ms: number) => {
    time += ms;
  };
  return { now: () => time, advance, sleep: async (ms) => advance(ms) };
}

/** The clock and the ids of a guarded server. */
export const fixedServer = {
  testing: { clock: { now: () => STARTED }, createId: () => formatId(STARTED, new Uint8Array(16).fill(7)) },
  sink: () => {},
};

/** Ids that a client makes. */
export const fixedId = (): string => "01KA3F9ZG0E1M70W3G70W3G70W";

/** Replaces ids and directories that differ by run. */
export function withoutIds(text: string): string {
  return text.replaceAll(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, fixedId());
}
