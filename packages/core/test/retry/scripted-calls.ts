import fc from "fast-check";
import { BACKOFFS, BASES, type Fault } from "../../src/fault/fault.ts";
import { CLASSES, EFFECTS, KINDS } from "../../src/fault/kinds.ts";
import { readFault } from "../../src/fault/read.ts";
import type { Reauthorized } from "../../src/retry/index.ts";

/** One scripted attempt: how long it takes, and how it ends. */
interface AttemptStep {
  readonly takesMs: number;
  /** Undefined for a success. */
  readonly fault?: Fault | undefined;
  /** Rejects with the fault instead of returning it. */
  readonly throws?: boolean | undefined;
}

/** One scripted call. The last step repeats. */
export interface ScriptedCall {
  /** Pause after the previous call. */
  readonly gapMs: number;
  readonly steps: readonly [AttemptStep, ...AttemptStep[]];
  readonly repeatable: boolean;
  readonly deadlineMs?: number | undefined;
  /** Always at half a millisecond, so that it never happens at the same time as another event. */
  readonly abortMs?: number | undefined;
  readonly reauthorization?:
    | { readonly takesMs: number; readonly gets: Reauthorized | "nothing" | "throws" }
    | undefined;
}

const ms = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 5_000 }), fc.constant(70_000));
const advice = fc.record(
  {
    allowed: fc.boolean(),
    afterMs: ms,
    maxAttempts: fc.nat(4),
    backoff: fc.constantFrom(...BACKOFFS),
    jitter: fc.constantFrom(0, 0.1, 0.5, 0.99),
  },
  { requiredKeys: ["allowed"] },
);

const knownKind = fc.constantFrom(...Object.entries(KINDS).map(([kind, row]) => ({ kind, class: row.class })));
const newerKind = fc.constantFrom(...CLASSES).map((group) => ({ kind: `newer_${group}`, class: group }));

/** A fault of a peer: any kind, also one that is not known yet, with any retry advice. */
const fault: fc.Arbitrary<Fault> = fc
  .record(
    {
      identity: fc.oneof({ weight: 6, arbitrary: knownKind }, { weight: 1, arbitrary: newerKind }),
      effect: fc.oneof({ weight: 2, arbitrary: fc.constant("none") }, fc.constantFrom(...EFFECTS)),
      basis: fc.oneof({ weight: 8, arbitrary: fc.constant("stated") }, fc.constantFrom(...BASES)),
      layer: fc.constantFrom("server", "server", "transport", "client"),
      retry: advice,
      recourse: fc.record(
        { do: fc.constantFrom("retry", "stop"), afterMs: ms },
        { requiredKeys: ["do"], noNullPrototype: true },
      ),
    },
    { requiredKeys: ["identity", "effect", "basis", "layer"] },
  )
  .map(({ identity, layer, recourse, ...rest }) => {
    const raw = { v: 1, ...identity, reason: "peer/failed", message: "It failed.", origin: { layer }, ...rest };
    return readFault({ ...raw, ...(recourse && { recourse: [recourse] }) }) as Fault;
  });

const step: fc.Arbitrary<AttemptStep> = fc.record(
  {
    takesMs: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 300 }) }, fc.integer({ min: 0, max: 20_000 })),
    fault,
    throws: fc.boolean(),
  },
  { requiredKeys: ["takesMs"] },
);

/** Any scripted call. */
export const scriptedCall: fc.Arbitrary<ScriptedCall> = fc.record(
  {
    gapMs: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 40_000 })),
    steps: fc.array(step, { minLength: 1, maxLength: 4 }) as unknown as fc.Arbitrary<[AttemptStep, ...AttemptStep[]]>,
    repeatable: fc.boolean(),
    deadlineMs: fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 30_000 })),
    abortMs: fc.integer({ min: -1, max: 6_000 }).map((at) => at + 0.5),
    reauthorization: fc.record({
      takesMs: fc.integer({ min: 0, max: 3_000 }),
      gets: fc.constantFrom("credentials", "approval", "nothing", "throws"),
    }),
  },
  { requiredKeys: ["gapMs", "steps", "repeatable"] },
);
