import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { reportOf, tableOf } from "./report.ts";
import { playStory, WAYS } from "./story.ts";

const stories = await Promise.all((Object.keys(WAYS) as (keyof typeof WAYS)[]).map(playStory));
const [plain, wise, keyed] = stories;
const calls = (story: typeof plain, tool: string) =>
  story?.crossings.filter((crossing) => crossing.tool === tool) ?? [];

const TABLE = [
  "|  | calls | tokens of failures | time | charges (1 is right) | parcels (1 is right) | what the user hears |",
  "| --- | --- | --- | --- | --- | --- | --- |",
  "| without Recourse | 17 | 867 | 16.0 s | 3 | 1 | notify: gave up |",
  "| with Recourse | 7 | 54 | 6.6 s | 1 | 1 | notify: the user has to act |",
  "| and with keys | 8 | 21 | 6.9 s | 1 | 1 | notify: the user has to act |",
].join("\n");

const CHAPTER = [
  "== with Recourse",
  "what crossed the network:",
  "    0.0 s  get_order: failure",
  "    5.5 s  get_order: success",
  "    5.5 s  charge: done, but the reply was lost",
  "    5.5 s  get_payment: success",
  "    5.5 s  ship: failure",
  "    6.6 s  ship: success",
  "    6.6 s  notify: refused by the proxy",
  "failures that the model read:",
  "  charge, 33 tokens: The connection was lost before the answer came. The call may have taken effect. Check the current state before repeating the call.",
  "  notify, 21 tokens: This call is not allowed. Ask the user what to do; the same call will fail again.",
].join("\n");

test("what each way of calling cost, here and in the figures", () => {
  expect(tableOf(stories)).toBe(TABLE);
  const figures = fileURLToPath(new URL("../../docs/figures.md", import.meta.url));
  expect(readFileSync(figures, "utf8")).toContain(TABLE);
});

test("without: the customer pays three times, and a refusal is asked for nine times", () => {
  expect(plain?.ledger).toEqual({ charges: 3, parcels: 1 });
  expect(calls(plain, "notify")).toHaveLength(9);
});

test("with: nobody pays twice, and a refusal is asked for once", () => {
  for (const story of [wise, keyed]) {
    expect(story?.ledger.charges).toBe(1);
    expect(calls(story, "notify")).toHaveLength(1);
  }
});

test("a lost reply: without a key the model looks, with a key the same call is made again", () => {
  expect([calls(wise, "charge").length, calls(wise, "get_payment").length]).toEqual([1, 1]);
  expect([calls(keyed, "charge").length, calls(keyed, "get_payment").length]).toEqual([3, 0]);
});

test("the price: it waits as long as it is told, also where less would do", () => {
  const gotAt = (story: typeof plain) => calls(story, "get_order").at(-1)?.atMs;
  expect([gotAt(plain), gotAt(wise)]).toEqual([3_000, 5_500]);
});

test("one command prints it all", () => {
  const run = fileURLToPath(new URL("./run.ts", import.meta.url));
  const printed = execFileSync(process.execPath, ["--conditions=@recourse/source", run], { encoding: "utf8" });
  expect(printed).toBe(`${reportOf(stories)}\n`);
});

test("what crossed the network is told attempt by attempt", () => {
  expect(reportOf(stories).split("\n\n")[1]).toBe(CHAPTER);
});
