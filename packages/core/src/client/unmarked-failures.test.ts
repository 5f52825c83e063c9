// Failures that servers report in the data or in the text of a result, without `isError`.

import { ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { expect, test } from "vitest";
import { connectToAnswers } from "../../test/peers/client/connect.ts";
import { closient } from "../dialects/closient/dialect.ts";
import { callWithRetry, recourse } from "./index.ts";

const CLOSIENT = {
  code: -32300,
  message: "Internal Error",
  data: { status: 500, detail: "Something broke", error_code: "internal_error", retryable: true },
};
const ONX = { code: 4001, message: "The warehouse is closed", retryable: true };
const text = (value: object) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

const FORMS: readonly (readonly [name: string, result: object, reason: string])[] = [
  ["Closient's as data", { content: [], structuredContent: { error: CLOSIENT } }, "core/internal"],
  ["Closient's as text", text({ error: CLOSIENT }), "core/internal"],
  ["onX's as data", { content: [], structuredContent: { error: ONX } }, "adapter/failed"],
  ["onX's as text", text({ error: ONX }), "adapter/failed"],
];

const answering = (era: Era, ...answers: readonly object[]) =>
  connectToAnswers(era, "look", [...answers, text({ found: true })]);

test.each(ERAS.flatMap((era) => FORMS.map((form) => [era, ...form] as const)))(
  "%s: %s is a failure, and the call may have had an effect",
  async (era, _form, result, reason) => {
    const pair = await answering(era, result, result);
    const outcome = await recourse(pair.client).call("look");
    expect(outcome).toMatchObject({ ok: false, fault: { reason, effect: "possible" }, raw: result });
    await expect(callWithRetry(pair.client, "look")).rejects.toMatchObject({ fault: { reason } });
    // Nobody said that a repetition is safe.
    expect(pair.calls()).toBe(2);
  },
);

test.each(ERAS)("%s: it is repeated after five seconds, then ten, where that is safe", async (era) => {
  const [[, result] = ["", {}]] = FORMS;
  const pair = await answering(era, result, result);
  const waits: number[] = [];
  const mcp = recourse(pair.client, {
    server: { dialect: closient },
    testing: { random: () => 0, clock: { sleep: async (ms: number) => void waits.push(ms) } },
  });
  const outcome = await mcp.call("look", {}, { repeatable: true });
  expect(outcome).toMatchObject({ ok: true, tried: { attempts: 3 } });
  expect(waits).toEqual([5_000, 10_000]);
});

test.each(ERAS)("%s: a success with another member named error stays one", async (era) => {
  for (const error of [null, "none", { message: "no code" }, { code: 7, message: "no retryable" }]) {
    const pair = await answering(era, { ...text({ error }), structuredContent: { error } });
    expect(await recourse(pair.client).call("look")).toMatchObject({ ok: true });
  }
});
