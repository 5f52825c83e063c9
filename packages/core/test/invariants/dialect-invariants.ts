// The laws of every dialect. Each dialect calls them in a test file of its own, so that they run in parallel.

import { runs } from "@recourse/test-kit/runs";
import { type DialectLawOptions, dialectLaws, type LawRun } from "@recourse/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Dialect, EncodeContext } from "../../src/dialects/dialect.ts";

/** Enough for many runs: `RECOURSE_RUNS` sets how many. */
const TIMEOUT_MS = 600_000;

/** The laws. One that disappears from the helper would no longer be checked. */
const LAWS = [
  "a round trip never makes effect or basis more certain",
  "no registered secret is on the wire",
  "decoding any JSON never throws, and gives a frozen fault or undefined",
  "decoding never throws on a reply with one member changed, or on half a reply",
  "encode and decode are pure",
  "every code that is written is published",
];

/** Tests the laws of a dialect. `contexts` are the contexts in which it can encode. */
export function testDialectInvariants<Wire, Encode extends EncodeContext>(
  dialect: Dialect<Wire, Encode>,
  contexts?: DialectLawOptions<NoInfer<Encode>>["contexts"],
  { numRuns = runs(), ...more }: LawRun & Pick<DialectLawOptions, "reasons"> = {},
): void {
  const laws = dialectLaws(dialect, { fc, ...(contexts && { contexts }), ...more });
  for (const law of laws) test(law.name, () => law.run({ numRuns }), TIMEOUT_MS);
  test(`${dialect.name} is held to every law`, () => {
    expect(laws.map(({ name }) => name)).toEqual(LAWS.map((law) => `${dialect.name}: ${law}`));
  });
}
