import fc from "fast-check";
import { BACKOFFS, BASES, type Fault } from "../../src/fault/fault.ts";
import { CLASSES, EFFECTS, KINDS } from "../../src/fault/kinds.ts";
import { readFault } from "../../src/fault/read.ts";
import type { Renewed } from "../../src/retry/index.ts";

/** One scripted attempt: how long it takes, and how it ends. */
interface Step {
  readonly takesMs: number;
  /** Nothing is a success. */
  readonly fault?: Fault | undefined;
  /** Rejects instead of telling its fault. */
  readonly throws?: boolean | undefined;
}

/** One scripted call. The last step goes on for ever. */
export interface Scripted {
  /** Pause after the call before. */
  readonly gapMs: number;
  readonly steps: readonly [Step, ...Step[]];
  readonly repeatable: boolean;
  readonly deadlineMs?: number | undefined;
  /** Always half a millisecond beside every other event, so that nothing happens at the same time. */
  readonly abortMs?: number | undefined;
  readonly renewal?: { readonly takesMs: number; readonly gets: Renewed | "nothing" | "throws" } | undefined;
}

const ms = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 5_000 }), fc.constant(70_000));
const word = fc.record(
  {
    allowed: fc.boolean(),
    afterMs: ms,
    maxAttempts: fc.nat(4),
    backoff: fc.constantFrom(...BACKOFFS),
    jitter: fc.constantFrom(0, 0.1, 0.5, 0.99),
  },
  { requiredKeys: ["allowed"] },
);

const known = fc.constantFrom(...Object.entries(KINDS).map(([kind, row]) => ({ kind, class: row.class })));
const newer = fc.constantFrom(...CLASSES).map((group) => ({ kind: `newer_${group}`, class: group }));

/** A fault as a peer may state it: any kind, also one that is not known yet, with any word on repeating. */
const fault: fc.Arbitrary<Fault> = fc
  .record(
    {
      identity: fc.oneof({ weight: 6, arbitrary: known }, { weight: 1, arbitrary: newer }),
      effect: fc.oneof({ weight: 2, arbitrary: fc.constant("none") }, fc.constantFrom(...EFFECTS)),
      basis: fc.oneof({ weight: 8, arbitrary: fc.constant("stated") }, fc.constantFrom(...BASES)),
      layer: fc.constantFrom("server", "server", "transport", "client"),
      retry: word,
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

const step: fc.Arbitrary<Step> = fc.record(
  {
    takesMs: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 300 }) }, fc.integer({ min: 0, max: 20_000 })),
    fault,
    throws: fc.boolean(),
  },
  { requiredKeys: ["takesMs"] },
);

/** Any call. */
export const scripted: fc.Arbitrary<Scripted> = fc.record(
  {
    gapMs: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 40_000 })),
    steps: fc.array(step, { minLength: 1, maxLength: 4 }) as unknown as fc.Arbitrary<[Step, ...Step[]]>,
    repeatable: fc.boolean(),
    deadlineMs: fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 30_000 })),
    abortMs: fc.integer({ min: -1, max: 6_000 }).map((at) => at + 0.5),
    renewal: fc.record({
      takesMs: fc.integer({ min: 0, max: 3_000 }),
      gets: fc.constantFrom("credentials", "approval", "nothing", "throws"),
    }),
  },
  { requiredKeys: ["gapMs", "steps", "repeatable"] },
);
