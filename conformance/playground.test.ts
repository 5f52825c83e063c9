// The playground and `recourse explain` read a text with one reader. Errors that people pasted get the same answer in both.
import { expect, test } from "vitest";
import { findTopic } from "../packages/cli/src/explain/find-topic.ts";
import { decodePasted } from "../packages/console/src/playground/decode-text.ts";
import { PASTED_ERRORS } from "../packages/explain/test/pasted-errors.ts";

test.each(PASTED_ERRORS)("$source", ({ text }) => {
  const topic = findTopic(text);
  const decoded = decodePasted(text);
  if (topic?.topic !== "message" || !topic.failure) {
    expect(decoded.found).toBe(false);
    return;
  }
  const { reading, modelReads, repeat, explanation, leak } = topic;
  const isCall = reading.leads === "fault";
  expect(decoded).toMatchObject({
    found: true,
    title: reading.title,
    sentence: reading.because,
    advice: isCall ? reading.advice : reading.cause?.fix,
    effect: reading.effect,
  });
  if (!decoded.found) return;
  expect(decoded.reason).toBe(reading.fault?.reason);
  expect(Object.fromEntries(decoded.facts)["Cause"]).toBe(reading.cause?.id);
  expect(decoded.modelReads).toBe(isCall ? modelReads : undefined);
  expect(decoded.repeat).toBe(isCall ? repeat : undefined);
  expect(decoded.remedies).toEqual(isCall ? (explanation?.remedies ?? []) : []);
  // The command line names the first thing, and of a text that was not sent to a caller only secrets.
  if (leak !== undefined) expect(decoded.leftOut).toContain(leak);
});
