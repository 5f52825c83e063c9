import { expect, test } from "vitest";
import { closient, erlmcp, onx, platica, qaqnuz } from "../../../src/dialects/index.ts";
import { type FaultDetails, fail } from "../../../src/index.ts";

// What a reader knows of a failure of each kind that was written with everything a fault can carry. Each line is a promise to
// the readers of that system: what is read back has to be what its table says.

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

test.each([closient, onx, erlmcp, qaqnuz, platica])("what is read of $name is what its table says", async (dialect) => {
  const lines = Object.entries(fail).map(([kind, write]) => {
    const { fault } = write(DETAILS)`Order ${7} failed.`;
    return `${kind} ${JSON.stringify(dialect.decode(dialect.encode(fault)))}`;
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`read-back/${dialect.name}.txt`);
});
