import type { GatherOptions } from "../../src/gather/gather.ts";

/** Longer than any machine takes. */
const MS = 10 * 60_000;

/** For probes whose server answers everything: however slow the machine is, they wait for it. */
export const PATIENT = {
  slow: true,
  waits: { requestMs: MS, callMs: MS, slowCallMs: MS, concurrentMs: MS, longMessageMs: MS, startMs: MS, exitMs: MS },
} as const satisfies Partial<GatherOptions>;
