// Upstreams that try to keep the gateway busy although no caller wants anything of them.
import { createServer } from "node:http";
import { eventually } from "@recourse/test-kit/eventually";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { request } from "undici";
import { beforeEach, expect, test } from "vitest";
import { recordingObserver } from "../catalog/support/calls.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime, pass } from "../support/held-time.ts";
import { callEcho, MODERN_META, modernHeaders, post } from "../support/post.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";

beforeEach(holdTime);

const WINDOW_MS = 4_000;
const DISCOVERED = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: { listChanged: true }, resources: {} },
  ttlMs: 0,
  cacheScope: "private",
};
const CHANGED = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';

const ACKNOWLEDGED = 'data: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged"}\n\n';
/** How many changes come in one stream at once. */
const FLOOD = 20_000;

/** An upstream that says in each answer to a list that its lists have changed; `list` gives the entries of an answer. */
async function startRestless(
  list: (method: string, nth: number) => readonly object[],
  { endsStreams = false }: { readonly endsStreams?: boolean } = {},
) {
  const counts = new Map<string, number>();
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown; method: string };
      const nth = (counts.get(method) ?? 0) + 1;
      counts.set(method, nth);
      if (method === "subscriptions/listen") {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(ACKNOWLEDGED + CHANGED.repeat(FLOOD));
        if (endsStreams) response.end();
        return;
      }
      const entries = list(method, nth);
      const lists = { tools: entries, resources: entries, resourceTemplates: [] };
      const result = method === "server/discover" ? DISCOVERED : { resultType: "complete", ...lists };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`${CHANGED.repeat(3)}data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    });
  });
  const { url } = await listenOnLoopback(server);
  return { url, reads: () => counts.get("tools/list") ?? 0, streams: () => counts.get("subscriptions/listen") ?? 0 };
}

/** Listens for changes of tools for a while, and gives the methods of the notifications that came. */
async function listenFor(url: URL, ms: number): Promise<readonly string[]> {
  const stepMs = 50;
  const params = `{"notifications":{"toolsListChanged":true},"_meta":{${MODERN_META}}}`;
  const answer = await request(url, {
    method: "POST",
    headers: modernHeaders("subscriptions/listen"),
    body: `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":${params}}`,
  });
  const chunks: Buffer[] = [];
  answer.body.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => undefined);
  const methods = () =>
    [
      ...Buffer.concat(chunks)
        .toString()
        .matchAll(/"method":"([^"]+)"/g),
    ].map(([, method]) => method ?? "");
  await eventually(() => expect(methods()).toContain(TOOLS_CHANGED));
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    await pass(stepMs);
    await turns();
  }
  answer.body.destroy();
  return methods();
}

const TOOLS_CHANGED = "notifications/tools/list_changed";
const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

/** Lets what is on its way arrive. */
async function turns() {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

/** Waits for readings: the first, and then after pauses of one second, two, and so on. No reading comes sooner. */
async function untilRead(reads: () => number, count: number): Promise<void> {
  await eventually(() => expect(reads()).toBe(1));
  for (let nth = 2; nth <= count; nth++) {
    await pass(1_000 * 2 ** (nth - 2) - 1);
    await turns();
    expect(reads()).toBe(nth - 1);
    await pass(1);
    await eventually(() => expect(reads()).toBe(nth));
  }
}

test("changes that are announced inside the answer to a list are not read at once again and again", async () => {
  const restless = await startRestless(() => [tool("a")]);
  const good = await startStubUpstream();
  const { url } = await startTestGateway({
    upstreams: [httpUpstream(restless.url, { name: "restless", prefix: "restless__" }), httpUpstream(good.url)],
  });
  await untilRead(restless.reads, 3);
  await turns();
  // Nobody waits for such an upstream: the next reading comes when time passes.
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{${MODERN_META}}}}`;
  const listed = await post(url, body, modernHeaders("tools/list"));
  expect(listed.json()).toMatchObject({ result: { tools: [{ name: "restless__a" }, { name: "up__echo" }] } });
  expect((await callEcho(url)).status).toBe(200);
  expect(restless.reads()).toBe(3);
});

test("names that it lists twice or that another upstream has do not fill the log", async () => {
  const NAMES = 2_000;
  const resources = (of: number) =>
    Array.from({ length: NAMES }, (_, at) => ({ ...tool(`${of} ${at}`), uri: `shop://${of}/${at}` }));
  const before = await startRestless((_, nth) => resources(nth));
  const restless = await startRestless((_, nth) => [...resources(nth), ...resources(nth)]);
  const { observer, lines } = recordingObserver();
  await startTestGateway(
    {
      upstreams: [
        httpUpstream(before.url, { name: "before", prefix: "before__" }),
        httpUpstream(restless.url, { name: "restless", prefix: "restless__" }),
      ],
    },
    { observer },
  );
  // When a reading begins, the one before has been logged.
  await untilRead(restless.reads, 4);
  const bytes = lines.reduce((sum, line) => sum + JSON.stringify(line).length, 0);
  expect(bytes).toBeLessThan(5_000);
  const about = (message: string) => lines.filter((line) => line.message.startsWith(message));
  expect(about("Names of an upstream are left out")).toMatchObject([{ facts: { upstream: "restless", count: 2_000 } }]);
  // Once for each list.
  expect(about("Entries of a list were left out").length).toBeLessThanOrEqual(2);
});

test.each([
  ["floods a stream", { endsStreams: false }],
  ["floods a stream and ends it", { endsStreams: true }],
])("an upstream that %s reaches its callers at a pace that they can bear", async (_, how) => {
  const restless = await startRestless(() => [tool("a")], how);
  const { url } = await startTestGateway({ upstreams: [httpUpstream(restless.url)] });
  await eventually(() => expect(restless.reads()).toBeGreaterThan(0));
  const methods = await listenFor(url, WINDOW_MS);
  expect(methods[0]).toBe("notifications/subscriptions/acknowledged");
  // Four in a second at most.
  expect(methods.length).toBeLessThanOrEqual(2 + WINDOW_MS / 250);
  // At once, and after pauses of one and two seconds, whether it ends its stream or is cut off.
  expect(restless.streams()).toBeLessThanOrEqual(3);
  expect(restless.reads()).toBeLessThanOrEqual(4);
});
