import { createMigratedDatabase } from "@recourse/reference-shared/testing";
import { isNightly } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { checkGtin } from "../src/gtin/check-gtin.ts";
import { differencesInDatabase, differencesInEncoder, differencesInLinks } from "./support/agreement.ts";
import { almostGtin } from "./support/arbitraries.ts";
import { link } from "./support/links.ts";

const database = await createMigratedDatabase(new URL("../", import.meta.url));
afterAll(() => database.drop());

const seed = 952;
const values = fc.sample(almostGtin, { numRuns: 3_000, seed });

test("the database accepts the same numbers", async () => {
  expect(await differencesInDatabase(values, database)).toEqual([]);
});

test("an independent encoder accepts the same numbers", () => {
  expect(differencesInEncoder(values)).toEqual([]);
});

test("an independent encoder accepts the same links", () => {
  expect(differencesInLinks(fc.sample(link, { numRuns: isNightly ? 150 : 50, seed }))).toEqual([]);
});

test("the sample has enough valid and invalid values", () => {
  const valid = values.filter((value) => checkGtin(value).valid).length;
  expect(valid).toBeGreaterThan(500);
  expect(values.length - valid).toBeGreaterThan(500);
});
