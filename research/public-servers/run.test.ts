import { isNightly } from "@recourse/test-kit/runs";
import { describe, expect, test } from "vitest";
import { FAILURES } from "../../packages/core/test/peers/public/cases.ts";
import { REGISTERED_SECRET } from "../../packages/core/test/peers/public/secrets.ts";
import { isKept, type Observation, passagesOf } from "./counts.ts";
import { MODE_NAMES, type Mode, type Reading, runPublicServers } from "./run.ts";
import { storedReadings } from "./tested.ts";

/** By day the default, and the mode that quotes and allows, so that both guards read every failure. */
const RUN_MODES: readonly Mode[] = isNightly ? MODE_NAMES : ["public", "allow"];

const readings = storedReadings();
const observations = Object.entries(FAILURES).flatMap(([server, failures]) =>
  failures.map((failure) => ({ failure, reading: readings[server as keyof typeof FAILURES][failure.name] })),
) as Observation[];

test.skipIf(process.platform === "win32")(
  "the public servers fail as the page says",
  { timeout: 120_000 },
  async () => {
    const stored = Object.entries(readings).map(([server, all]) => [server, mapValues(all, inRunModes)]);
    expect(
      await runPublicServers(RUN_MODES),
      "run: npm run research -- public-servers --tested && npm run generate",
    ).toEqual(Object.fromEntries(stored));
  },
);

/** What a reading says about the modes that run. */
function inRunModes({ texts, leaked }: Reading): Reading {
  return {
    texts: Object.fromEntries(RUN_MODES.map((mode) => [mode, texts[mode]])) as Reading["texts"],
    leaked: leaked.filter((mode) => RUN_MODES.includes(mode)),
  };
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

test("every failure has a reading, and nothing else has", () => {
  for (const [server, failures] of Object.entries(FAILURES))
    expect(Object.keys(readings[server as keyof typeof FAILURES]).toSorted()).toEqual(
      failures.map(({ name }) => name).toSorted(),
    );
});

test("only the caller who sent a secret reads it again, never with `public`, and never a registered one", () => {
  const leaking = observations.filter(({ failure }) => failure.secret !== undefined);
  expect(leaking.length).toBeGreaterThan(20);
  for (const { failure, reading } of leaking) {
    expect(reading.leaked, failure.name).toContain("bare");
    expect(reading.leaked, failure.name).not.toContain("public");
    if (failure.sentByCaller !== true || failure.secret === REGISTERED_SECRET)
      expect(reading.leaked, failure.name).toEqual(["bare"]);
  }
});

describe("counting", () => {
  test.each([
    ["Order 7 is gone", "The tool said: “Order 7 is gone” Use another order.", true],
    ["Order\n  7 is gone", "The tool said: “Order 7 is gone” Use another order.", true],
    [
      `Not found: ${"word ".repeat(30)}`,
      `The tool said: “Not found: ${"word ".repeat(10).trim()}…” Use another.`,
      true,
    ],
    [
      `Not found: ${"word ".repeat(30)}`,
      `The tool said: “Not found: ${"text ".repeat(10).trim()}…” Use another.`,
      false,
    ],
    ["Order 7 is gone", "The call failed because of an internal error.", false],
  ])("%s in %s", (text, shown, kept) => {
    expect(isKept(text, shown)).toBe(kept);
  });

  test("added sentences count on their own", () => {
    const bare = "API Error: Forbidden. Suggestions: Check the token. Look it up.";
    const texts = { bare, public: "-", quote: "“API Error: Forbidden”", allow: "Check the token." };
    const failure = { name: "", by: "service", adds: ["Check the token.", "Look it up."] } as const;
    const observation = { failure, reading: { texts, leaked: [] } };
    expect(passagesOf(observation).map(({ text, keptIn }) => [text, [...keptIn]])).toEqual([
      ["API Error: Forbidden", ["bare", "quote"]],
      ["Check the token.", ["bare", "allow"]],
      ["Look it up.", ["bare"]],
    ]);
  });
});
