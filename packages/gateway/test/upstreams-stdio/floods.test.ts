// A child that writes without end: it is read slowly, then ended, and started again later and later.
import { fileURLToPath } from "node:url";
import { eventually } from "@recourse/test-kit/eventually";
import { isNightly } from "@recourse/test-kit/runs";
import { expect, test } from "vitest";
import { holdTime, pass } from "../support/held-time.ts";
import { recorder } from "../support/recorder.ts";
import { callOf, textFrom, textOf, upstreamOf } from "./support/upstream.ts";

const FLOODING = fileURLToPath(new URL("../hostile/support/flooding-server.mjs", import.meta.url));
const flooding = () => [process.execPath, FLOODING, "stdio"] as const;
const QUICK = ["other", "strays"];
const stop = { closeMs: 50, terminateMs: 50 };

/** Time enough to read far more than is allowed, if nothing made the child wait. */
async function turns() {
  for (let turn = 0; turn < 500; turn++) await new Promise(setImmediate);
}

test("notifications without end are read at a pace, and the child waits", async () => {
  let heard = 0;
  const onNotification = () => {
    heard += 1;
  };
  const upstream = upstreamOf(flooding(), {}, { stop, onNotification });
  await textFrom(upstream, "calm");
  holdTime();
  const late = upstream.send(callOf("other", {}, { timeoutMs: 1_500 }));
  await eventually(() => expect(heard).toBeGreaterThan(4_000));
  await turns();
  await pass(1_000);
  await turns();
  await pass(500);
  expect(textOf(await late)).toBe("failed: core/timeout, possible");
  // 2 MiB at once and 1 MiB in a second, at 512 bytes for each, and what one read brings beside.
  expect(heard).toBeLessThan(12_000);
});

test("progress without end is read at a pace as well", async () => {
  let heard = 0;
  const onNotification = () => {
    heard += 1;
  };
  const upstream = upstreamOf(flooding(), {}, { stop });
  await textFrom(upstream, "calm");
  holdTime();
  const late = upstream.send(callOf("progress", {}, { timeoutMs: 1_500, meta: { progressToken: 1 }, onNotification }));
  await eventually(() => expect(heard).toBeGreaterThan(4_000));
  await turns();
  await pass(1_500);
  expect(textOf(await late)).toBe("failed: core/timeout, possible");
  expect(heard).toBeLessThan(12_000);
});

const FLOODS = isNightly ? [...QUICK, "responses", "requests", "one-line"] : QUICK;

test.each(FLOODS)("a child that goes on for too long is ended, and its next start waits: %s", async (tool) => {
  const observer = recorder();
  const upstream = upstreamOf(flooding(), {}, { stop, observer, floodMs: 300 });
  await textFrom(upstream, "calm");
  const reply = await upstream.send(callOf(tool));
  expect(textOf(reply)).toBe("failed: transport/connection_lost, possible");
  expect(observer.switches).toEqual(["upstream files away"]);
  expect(observer.lines.join("\n")).toContain("the process wrote without end, and was ended");
  await expect(textFrom(upstream, "calm")).resolves.toBe("ok");
  await upstream.send(callOf(tool));
  const third = upstream.send(callOf("calm", {}, { timeoutMs: 5 }));
  expect(textOf(await third)).toBe("failed: transport/not_sent, none");
});

test("answers to calls that were given up are no flood", async () => {
  const observer = recorder();
  const upstream = upstreamOf(flooding(), {}, { stop, observer });
  await textFrom(upstream, "calm");
  const given = Array.from({ length: 300 }, () => upstream.send(callOf("calm", {}, { timeoutMs: 0 })));
  await Promise.all(given);
  await expect(textFrom(upstream, "calm")).resolves.toBe("ok");
  expect(observer.switches).toEqual([]);
  expect(observer.lines).toEqual([]);
});

test("log lines without end make the child wait, and few are written", async () => {
  const observer = recorder();
  const upstream = upstreamOf(flooding(), {}, { stop, observer });
  await textFrom(upstream, "calm");
  holdTime();
  const late = upstream.send(callOf("stderr", {}, { timeoutMs: 2_000 }));
  await eventually(() => expect(observer.lines.length).toBeGreaterThanOrEqual(20));
  await turns();
  await pass(2_000);
  await late;
  expect(observer.lines.length).toBeLessThanOrEqual(21);
  // What was left out is counted. An entry has 100 lines of 35 bytes.
  await pass(10_000);
  await eventually(() => expect(observer.lines.join("\n")).toContain("more entries were left out"));
  const [, leftOut] = /\((\d+) more entries were left out/.exec(observer.lines.join("\n")) ?? [];
  expect(Number(leftOut)).toBeLessThan(1_500);
});
