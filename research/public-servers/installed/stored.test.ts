import { expect, test } from "vitest";
import { worseThan } from "./figures.ts";
import { reasonOf, UNKNOWN } from "./reasons.ts";
import { HELD_OUT, SERVERS } from "./servers.ts";
import { figuresIn, isHeldOutRun, missingWords, outcomesOf, stored } from "./stored.ts";
import { helpsLess } from "./tally.ts";

const readings = stored("readings");
const figures = stored("figures");
const again = "run: npm run research -- public-servers && npm run generate";

test("every case of every installed server has a reading, and nothing else has", () => {
  const names = Object.fromEntries(
    Object.entries(readings).map(([name, { cases }]) => [name, Object.keys(cases).toSorted()]),
  );
  const cases = Object.entries({ ...SERVERS }).map(([name, server]) => [
    name,
    server.cases.map((one) => one.name).toSorted(),
  ]);
  expect(names, again).toEqual(Object.fromEntries(cases));
});

test("the bare texts have the words that the cases need", () => {
  expect(missingWords(SERVERS, readings)).toEqual([]);
  if (isHeldOutRun()) expect(missingWords(HELD_OUT, stored("heldOut"))).toEqual([]);
});

test("the stored readings are not worse than the stored figures", () => {
  const now = Object.entries(figuresIn(SERVERS, readings)).filter(([name]) => Object.hasOwn(SERVERS, name));
  expect(now.map(([name]) => name).filter((name) => !Object.hasOwn(figures, name))).toEqual([]);
  expect(worseThan(figures, Object.fromEntries(now)), again).toEqual([]);
});

test("every text that helps less, and every secret that passes, has a reason", () => {
  const open = Object.entries(SERVERS).flatMap(([name, server]) =>
    outcomesOf(name, server, readings)
      .filter((one) => helpsLess(one, "public") || (one.secret === "operator" && one.leaked.includes("public")))
      .filter((one) => reasonOf(name, one) === UNKNOWN)
      .map((one) => `${name}, ${one.name}`),
  );
  expect(open, "write reasons in reasons.ts").toEqual([]);
});
