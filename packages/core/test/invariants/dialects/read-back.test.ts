import { expect, test } from "vitest";
import { closient, erlmcp, mcp, onx, platica, qaqnuz } from "../../../src/dialects/index.ts";
import { type Fault, type FaultDetails, fail } from "../../../src/index.ts";
import { core } from "../../../src/reasons/index.ts";
import { REVISIONS } from "../../../src/wire/revisions.ts";

// Each line of the files is a promise to the readers of that system: how a failure of each kind is written, and what a reader
// knows of one that was written with everything a fault can carry. What is read back has to be what its table says.

const DETAILS: FaultDetails = {
  retry: { allowed: true, afterMs: 1_500, maxAttempts: 3, backoff: "exponential", jitter: 0.1 },
  issues: [
    { pointer: "/items/0/sku", rule: "format", expected: "two letters", suggestion: "AB123" },
    { pointer: "/day", rule: "custom", message: "Choose a day after the first." },
  ],
  limits: [{ policy: "minute", quota: 10, remaining: 0, windowMs: 60_000, resetMs: 1_500 }],
  quote: { text: "It was refused.", from: "upstream" },
  origin: { layer: "upstream", name: "shop" },
};
const SYSTEMS = [closient, onx, erlmcp, qaqnuz, platica];

const linesOf = (entries: readonly (readonly [string, unknown])[]) =>
  `${entries.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join("\n")}\n`;

test.each(SYSTEMS)("what is read of $name is what its table says", async (dialect) => {
  const read = (fault: Fault) => dialect.decode(dialect.encode(fault));
  const entries = Object.entries(fail).map(
    ([kind, write]) => [kind, read(write(DETAILS)`Order ${7} failed.`.fault)] as const,
  );
  await expect(linesOf(entries)).toMatchFileSnapshot(`read-back/${dialect.name}.txt`);
});

const OF_KINDS = [
  ...Object.entries(fail).map(([kind, write]) => [kind, write`It was so.`.fault] as const),
  ["unknown", core.unrecognised.fault()] as const,
];

test.each(SYSTEMS)("$name writes each kind with its code", async (dialect) => {
  const entries = OF_KINDS.map(([kind, fault]) => [kind, dialect.encode(fault)] as const);
  await expect(linesOf(entries)).toMatchFileSnapshot(`written/${dialect.name}.txt`);
});

test.each(REVISIONS)("mcp writes each kind with its code, on %s", async (revision) => {
  const entries = OF_KINDS.map(([kind, fault]) => [
    kind,
    ["prompts/get", "tools/call"].map((method) => mcp.encode(fault, { revision, method })),
  ]) as [string, unknown][];
  await expect(linesOf(entries)).toMatchFileSnapshot(`written/mcp-${revision}.txt`);
});
