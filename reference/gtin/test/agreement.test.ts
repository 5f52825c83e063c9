import { createTestDatabase } from "@recourse/reference-ground/testing";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { judge } from "../src/gtin/judge.ts";
import { differencesInDatabase, differencesInEncoder, differencesInLinks } from "./support/agreement.ts";
import { almostGtin } from "./support/arbitraries.ts";
import { link } from "./support/links.ts";

const database = await createTestDatabase(new URL("../", import.meta.url));
afterAll(() => database.drop());

const seed = 952;
const values = fc.sample(almostGtin, { numRuns: 3_000, seed });

test("the database judges every number as the code does", async () => {
  expect(await differencesInDatabase(values, database)).toEqual([]);
});

test("an encoder of barcodes judges every number as the code does", () => {
  expect(differencesInEncoder(values)).toEqual([]);
});

test("an encoder of barcodes judges every link as the code does", () => {
  expect(differencesInLinks(fc.sample(link, { numRuns: 150, seed }))).toEqual([]);
});

test("the sample has enough of both", () => {
  const valid = values.filter((value) => judge(value).valid).length;
  expect(valid).toBeGreaterThan(500);
  expect(values.length - valid).toBeGreaterThan(500);
});
