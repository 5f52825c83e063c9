import { request } from "undici";
import { expect, test } from "vitest";
import { startGateway } from "../../src/gateway.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callEcho } from "../support/post.ts";
import { answerWith, OK, startStubUpstream } from "../support/stub-upstream.ts";

/** A stub whose calls wait until they are released. */
async function held() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stub = await startStubUpstream(async (asked, response) => {
    await released;
    await answerWith(OK)(asked, response);
  });
  return { stub, release };
}

test("a gateway that stops lets calls end, says that it is not ready, and closes their connections", async () => {
  const { stub, release } = await held();
  const gateway = await startGateway(testConfig({ upstreams: [httpUpstream(stub.url)] }));
  const kept = await request(new URL("/health", gateway.url));
  await kept.body.dump();
  const calls = Array.from({ length: 5 }, () => callEcho(gateway.url));
  await expect.poll(() => stub.received.length).toBe(5);
  const closed = gateway.close();
  const ready = await request(new URL("/ready", gateway.url));
  expect(ready.statusCode).toBe(503);
  expect(await ready.body.json()).toMatchObject({ status: "draining" });
  release();
  for (const answer of await Promise.all(calls)) {
    expect(answer.json()).toMatchObject({ result: { content: [{ text: "ok" }] } });
    expect(answer.headers["connection"]).toBe("close");
  }
  await closed;
  await expect(request(new URL("/health", gateway.url))).rejects.toThrow();
});

test("calls that do not end in time are ended, with an answer", async () => {
  const { stub } = await held();
  const gateway = await startGateway(testConfig({ upstreams: [httpUpstream(stub.url)], drainMs: 300 }));
  const call = callEcho(gateway.url);
  await expect.poll(() => stub.received.length).toBe(1);
  await gateway.close();
  expect((await call).json()).toMatchObject({ result: { isError: true } });
});

test("a new configuration takes over under load, and no call is dropped", async () => {
  const first = await startStubUpstream(answerWith(OK));
  const second = await startStubUpstream(answerWith(OK.replace('"ok"', '"new"')));
  const gateway = await startTestGateway({ upstreams: [httpUpstream(first.url)], drainMs: 5_000 });
  let isOver = false;
  const texts: string[] = [];
  const load = Array.from({ length: 8 }, async () => {
    while (!isOver) texts.push((await callEcho(gateway.url)).text);
  });
  const config = (url: URL) => testConfig({ upstreams: [httpUpstream(url)] });
  for (let turn = 0; turn < 6; turn++) {
    const before = texts.length;
    await gateway.reload(config(turn % 2 === 0 ? second.url : first.url));
    await expect.poll(() => texts.length).toBeGreaterThan(before + 20);
  }
  isOver = true;
  await Promise.all(load);
  const answers = new Set(texts);
  expect([...answers].toSorted()).toEqual([
    `{"jsonrpc":"2.0","id":1,"result":${OK.replace('"ok"', '"new"')}}`,
    `{"jsonrpc":"2.0","id":1,"result":${OK}}`,
  ]);
});

test("calls under way end by the configuration they began with", async () => {
  const { stub, release } = await held();
  const other = await startStubUpstream(answerWith(OK.replace('"ok"', '"new"')));
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const call = callEcho(gateway.url);
  await expect.poll(() => stub.received.length).toBe(1);
  await gateway.reload(testConfig({ upstreams: [httpUpstream(other.url)], path: "/new" }));
  const later = await callEcho(new URL("/new", gateway.url));
  expect(later.text).toContain('"new"');
  release();
  expect((await call).text).toContain('"ok"');
});
