// A child that writes without end: it is ended, and started again later and later.
import { fileURLToPath } from "node:url";
import { isNightly } from "@recourse/test-kit/runs";
import { expect, test } from "vitest";
import { recorder } from "../support/recorder.ts";
import { callOf, textFrom, textOf, upstreamOf } from "./support/upstream.ts";

const FLOODING = fileURLToPath(new URL("../hostile/support/flooding-server.mjs", import.meta.url));
const flooding = () => [process.execPath, FLOODING, "stdio"] as const;
const QUICK = ["other", "strays", "progress"];
const stop = { closeMs: 50, terminateMs: 50 };

const FLOODS = isNightly ? [...QUICK, "responses", "requests", "one-line"] : QUICK;

test.each(FLOODS)("a child that writes without end is ended, and its next start waits: %s", async (tool) => {
  const observer = recorder();
  const upstream = upstreamOf(flooding(), {}, { stop, observer });
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

test("of log lines without end few are written", async () => {
  const observer = recorder();
  const upstream = upstreamOf(flooding(), {}, { stop, observer });
  await textFrom(upstream, "calm");
  await upstream.send(callOf("stderr", {}, { timeoutMs: 1_000 }));
  expect(observer.lines.length).toBeLessThanOrEqual(21);
  expect(observer.lines.join("\n").length).toBeLessThan(21 * 8_200);
});
