// What work costs, measured against other work in the same run: a slow or busy machine slows both.

/** Work, what it is compared with, and how much more it may cost. Both may be asynchronous. */
export interface CostLimit {
  /** What is measured. It runs again if it costs too much, since neighbors on the machine only add cost. */
  readonly work: () => unknown;
  /** What it is compared with, such as parsing the same bytes. */
  readonly yardstick: () => unknown;
  /** How many times the CPU of the yardstick the work may take. */
  readonly atMost: number;
}

const ATTEMPTS = 4;

/** A yardstick runs again and again until it has used this much CPU, so that its time can be measured at all. */
const MIN_YARDSTICK_MS = 5;

/**
 * Throws if the work takes more CPU than it may. Both count what this process uses, with all its threads.
 *
 * @example
 * await expectCost({ work: () => parse(text), yardstick: () => JSON.parse(json), atMost: 100 });
 */
export async function expectCost({ work, yardstick, atMost }: CostLimit): Promise<void> {
  const ratios: number[] = [];
  while (ratios.length < ATTEMPTS) {
    const yardstickMs = await repeatedCpuMs(yardstick);
    const ratio = (await cpuMs(work)) / yardstickMs;
    if (ratio <= atMost) return;
    ratios.push(ratio);
  }
  const shown = ratios.map((ratio) => ratio.toPrecision(3)).join(", ");
  throw new Error(`The work may take ${atMost} times the CPU of its yardstick; it took ${shown}.`);
}

/** The CPU of this process, in ms, while the work runs. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The CPU of one run of work that may be too short to be measured alone. */
async function repeatedCpuMs(work: () => unknown): Promise<number> {
  for (let times = 1; ; times *= 4) {
    const ms = await cpuMs(async () => {
      for (let at = 0; at < times; at += 1) await work();
    });
    if (ms >= MIN_YARDSTICK_MS) return ms / times;
  }
}
