import { McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import type { Incident } from "@recourse/core/server";
import { openHttpPair } from "@recourse/test-kit/fixtures";
import { type HeldTimers, holdTimers } from "@recourse/test-kit/held-timers";
import { startUpstream, type TestUpstream } from "@recourse/test-kit/loopback";
import { findLeaks } from "@recourse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bridge, bearer, openapi } from "../src/index.ts";
import { FAILURES, type Failure, PLANTED } from "./failures.ts";

const KEY = "sk_live_planted0123456789";
const CONTENT = { content: { "application/json": {} } };
const SCHEMA = {
  type: "object",
  properties: {
    name: { type: "string" },
    price: { type: "integer" },
    items: { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } },
  },
};
const pathOf = (read: string, write: string) => ({
  parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
  get: { operationId: read, responses: { 200: { description: "", ...CONTENT } } },
  post: {
    operationId: write,
    requestBody: { content: { "application/json": { schema: SCHEMA } } },
    responses: { "2XX": { description: "", ...CONTENT } },
  },
});
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: { "/things/{id}": pathOf("read", "write"), "/slow/{id}": pathOf("readSoon", "writeSoon") },
};

/** A service that never answers is called with a limit of its own, which ends when all such calls have arrived. */
const LIMIT_MS = 3_600_000;
const isLate = ({ reason }: Failure) => reason === "core/timeout";
const toolsFor = (failure: Failure) =>
  isLate(failure) ? { read: "readSoon", write: "writeSoon" } : { read: "read", write: "write" };

let upstream: TestUpstream;
let bridge: Bridge;
let limits: HeldTimers;
let waiting = 0;
const incidents: Incident[] = [];

beforeAll(async () => {
  // The identifier selects the failure.
  upstream = await startUpstream((hit, response) => {
    const index = Number(hit.target.split("/").at(-1)?.split("-")[0]);
    const failure = FAILURES[index] as Failure;
    if (isLate(failure) && ++waiting === limits.count) {
      waiting = 0;
      limits.fire();
    }
    return failure.answer(hit, response);
  });
  limits = holdTimers(LIMIT_MS);
  bridge = await openapi(DOCUMENT, {
    server: upstream.url,
    credential: bearer(KEY),
    network: { allowPrivate: true, maxResponseBytes: 200_000 },
    sink: (incident) => incidents.push(incident),
    name: "shop",
  });
  for (const tool of ["readSoon", "writeSoon"]) bridge.operation(tool, { deadlineMs: LIMIT_MS });
});
afterAll(async () => {
  limits[Symbol.dispose]();
  await bridge.close();
  await upstream.close();
});

const hitsOf = (id: string) => upstream.hits.filter((hit) => hit.target.endsWith(`/${id}`)).length;

describe("each becomes the expected fault", () => {
  test.each(FAILURES.map((failure, index) => ({ ...failure, index })))("$what", async (failure) => {
    const { reason, kind, effect, next, afterMs, fields, index } = failure;
    const tools = toolsFor(failure);
    const args = { id: `${index}-write`, name: "x", price: 1, items: [{ sku: "a" }] };
    const written = await bridge.call(tools.write, args);
    if (written.ok) throw new Error("it went well");
    const { fault } = written;
    expect([fault.reason, fault.kind, fault.effect, fault.recourse[0].do]).toEqual([reason, kind, effect, next]);
    expect(fault.retry?.afterMs).toBe(afterMs ?? (reason === "idempotency/in_progress" ? 1_000 : undefined));
    expect(fault.issues?.map(({ pointer }) => pointer)).toEqual(fields);
    const read = await bridge.call(tools.read, { id: `${index}-read` });
    expect(read).toMatchObject({ ok: false, fault: { kind, effect: "none" } });
    expect([hitsOf(`${index}-write`), hitsOf(`${index}-read`)]).toEqual([1, 1]);
    expect(findLeaks([fault, read.ok ? read : read.fault], [...PLANTED, KEY])).toEqual([]);
  });
});

test("the same holds under load: no reply is mixed up, repeated or leaked", async () => {
  const rounds = 3;
  const calls = FAILURES.flatMap((failure, index) =>
    Array.from({ length: rounds }, (_, round) => ({ failure, id: `${index}-load${round}` })),
  );
  // All failures at the same time, in an order that is not the order of the table.
  const reversed = ({ id }: { id: string }) => id.split("").reverse().join("");
  const queue = calls.toSorted((a, b) => (reversed(a) < reversed(b) ? -1 : 1));
  const faults: unknown[] = [];
  const worker = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const outcome = await bridge.call(toolsFor(next.failure).write, { id: next.id, name: "x" });
      const { reason, kind, effect } = next.failure;
      expect(outcome, next.failure.what).toMatchObject({ ok: false, fault: { reason, kind, effect } });
      if (!outcome.ok) faults.push(outcome.fault);
    }
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  expect(faults).toHaveLength(FAILURES.length * rounds);
  expect(findLeaks(faults, [...PLANTED, KEY])).toEqual([]);
  const counts = calls.map(({ id }) => hitsOf(id));
  expect(new Set(counts)).toEqual(new Set([1]));
});

test("nothing that was planted reaches the official client either", async () => {
  const make = () => bridge.register(new McpServerV2({ name: "b", version: "1" }), { sink: () => {} });
  const { client } = await openHttpPair("v2 modern", make);
  const results = await Promise.all(
    FAILURES.map((failure, index) =>
      client.callTool({ name: toolsFor(failure).write, arguments: { id: `${index}-client` } }),
    ),
  );
  expect(results.map((result) => (result as { isError?: boolean }).isError)).toEqual(FAILURES.map(() => true));
  expect(findLeaks(results, [...PLANTED, KEY])).toEqual([]);
});

test("the operator got an incident for the refused key, with the text of the service", () => {
  const auth = incidents.filter(({ fault }) => fault.reason === "rest/upstream_auth");
  expect(auth[0]).toMatchObject({ tool: "write", fault: { incident: expect.stringMatching(/^\w{26}$/) } });
  expect(findLeaks(String(auth[0]?.cause), PLANTED).length).toBeGreaterThan(0);
});
