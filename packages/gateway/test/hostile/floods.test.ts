// An upstream that sends without end, beside another one: its own call fails, the calls of the other go on.
import { isNightly } from "@recourse/test-kit/runs";
import { request } from "undici";
import { expect, test } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime, pass } from "../support/held-time.ts";
import { MODERN_META, modernHeaders, post } from "../support/post.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";
import { bytesSent, FLOODING_CHILD, startFloodingServer } from "./support/flooding.ts";

const MIB = 1_024 * 1_024;
/** What waits in the sockets of the two processes, at most. */
const SOCKETS = 16 * MIB;
const DEADLINE_MS = 1_500;
const STEP_MS = 50;

const bodyFor = (name: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":{},"_meta":{${MODERN_META},"progressToken":7,"recourse/call":{"id":"c","attempt":1,"deadlineMs":${DEADLINE_MS}}}}}`;
const call = (url: URL, name: string) => post(url, bodyFor(name), modernHeaders("tools/call", name));

async function startBoth(flooding: "http" | "stdio") {
  const calm = await startStubUpstream();
  const floods = flooding === "http" ? await startFloodingServer() : undefined;
  const named = { name: "noisy", prefix: "noisy__" };
  const { url: _, era: __, ...common } = httpUpstream("http://127.0.0.1/", named) as never as Record<string, unknown>;
  const child = { ...common, kind: "stdio", command: FLOODING_CHILD, environment: {}, per: "replica", maxChildren: 1 };
  const noisy = floods === undefined ? ({ ...child, idleMs: 60_000 } as never) : httpUpstream(floods, named);
  const gateway = await startTestGateway({ upstreams: [httpUpstream(calm.url), noisy] });
  await call(gateway.url, "noisy__calm");
  holdTime();
  return { url: gateway.url, floods };
}

/** Lets the flood come as far as it can. */
async function turns() {
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
}

/** Lets time pass, and the flood with it. */
async function passSlowly(ms: number) {
  for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
    await turns();
    await pass(STEP_MS);
  }
}

/** Calls the flooding tool, and the other upstream again and again until the time of that call is over. */
async function besides(url: URL, tool: string) {
  const flooded = call(url, `noisy__${tool}`);
  const answers: string[] = [];
  for (let passedMs = 0; passedMs < DEADLINE_MS; passedMs += STEP_MS) {
    for (let calls = 0; calls < 5; calls++) answers.push((await call(url, "up__echo")).text);
    await passSlowly(STEP_MS);
  }
  return { flooded: await flooded, refused: answers.filter((text) => !text.includes('"text":"ok"')) };
}

const MORE_STREAMS = isNightly ? ["progress", "other", "requests", "newlines", "data-lines", "bytewise"] : [];
const MORE_LINES = isNightly ? ["progress", "other", "responses", "requests", "one-line", "stderr"] : [];

test.each(["comments", "pinned-chunks", ...MORE_STREAMS])(
  "a stream over HTTP without end fails its own call: %s",
  async (tool) => {
    const { url, floods } = await startBoth("http");
    const { flooded, refused } = await besides(url, tool);
    expect(flooded.text).toMatch(/"(?:tool\/result_too_large|core\/timeout)"/);
    expect(flooded.text.length).toBeLessThan(MIB);
    expect(refused).toEqual([]);
    if (floods !== undefined) expect(await bytesSent(floods)).toBeLessThan(SOCKETS);
  },
);

test("what a stream brings after its answer is not read", async () => {
  const { url, floods } = await startBoth("http");
  expect((await call(url, "noisy__after")).text).toContain('"text":"ok"');
  await passSlowly(500);
  if (floods !== undefined) expect(await bytesSent(floods)).toBeLessThan(SOCKETS);
});

test.each(["strays", ...MORE_LINES])("a child that writes without end fails its own call: %s", async (tool) => {
  const { url } = await startBoth("stdio");
  const { flooded, refused } = await besides(url, tool);
  expect(flooded.text).toMatch(/"(?:transport\/connection_lost|core\/timeout)"/);
  expect(flooded.text.length).toBeLessThan(MIB);
  expect(refused).toEqual([]);
});

test("a caller that does not read its stream costs little, whatever the upstream sends", async () => {
  const { url } = await startBoth("http");
  const before = process.memoryUsage().arrayBuffers;
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      request(url, {
        method: "POST",
        headers: modernHeaders("tools/call", "noisy__messages"),
        body: bodyFor("noisy__messages"),
      }),
    ),
  );
  await passSlowly(1_000);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * MIB);
  for (const { body } of answers) body.on("error", () => {}).destroy();
});
