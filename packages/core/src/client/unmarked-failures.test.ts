// Failures that servers report in the data or in the text of a result, without `isError`.

import { connectPair, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { expect, test } from "vitest";
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

/** A server whose tool gives these answers, one after the other, and then succeeds. */
async function answering(era: Era, ...answers: readonly object[]) {
  let calls = 0;
  const pair = await connectPair(era, (server) => {
    server.registerTool("look", {}, () => (answers[calls++] ?? text({ found: true })) as never);
    return server;
  });
  return { ...pair, calls: () => calls };
}

test.each(ERAS.flatMap((era) => FORMS.map((form) => [era, ...form] as const)))(
  "%s: %s is a failure, and the call may have had an effect",
  async (era, _form, result, reason) => {
    const pair = await answering(era, result, result);
    const outcome = await recourse(pair.client as never).call("look");
    expect(outcome).toMatchObject({ ok: false, fault: { reason, effect: "possible" }, raw: result });
    await expect(callWithRetry(pair.client as never, "look")).rejects.toMatchObject({ fault: { reason } });
    await pair.close();
    // Nobody said that a repetition is safe.
    expect(pair.calls()).toBe(2);
  },
);

test.each(ERAS)("%s: it is repeated after five seconds, then ten, where that is safe", async (era) => {
  const [[, result] = ["", {}]] = FORMS;
  const pair = await answering(era, result, result);
  const waits: number[] = [];
  const mcp = recourse(pair.client as never, {
    server: { dialect: closient },
    testing: { random: () => 0, clock: { sleep: async (ms: number) => void waits.push(ms) } },
  });
  const outcome = await mcp.call("look", {}, { repeatable: true });
  await pair.close();
  expect(outcome).toMatchObject({ ok: true, tried: { attempts: 3 } });
  expect(waits).toEqual([5_000, 10_000]);
});

test.each(ERAS)("%s: a success with another member named error stays one", async (era) => {
  for (const error of [null, "none", { message: "no code" }, { code: 7, message: "no retryable" }]) {
    const pair = await answering(era, { ...text({ error }), structuredContent: { error } });
    expect(await recourse(pair.client as never).call("look")).toMatchObject({ ok: true });
    await pair.close();
  }
});
