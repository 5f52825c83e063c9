import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { openPair } from "@recourse/test-kit/fixtures";
import { ERAS } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";
import { closient, type Dialect, erlmcp, mcp, onx, platica } from "../../../src/dialects/index.ts";
import type { Incident } from "../../../src/incidents/incident.ts";
import { fail } from "../../../src/index.ts";
import { core } from "../../../src/reasons/index.ts";
import { guard, guardHandler } from "../../../src/server/index.ts";

/** What a handler throws, and whether it is reported as an incident. */
const THROWN: readonly (readonly [string, () => unknown, boolean])[] = [
  ["a declared conflict", () => core.conflict(), false],
  ["a declared rate limit", () => fail.rate_limited`Too many.`, false],
  ["a declared outage", () => core.unavailable(), true],
  ["a conflict that hides the text of a driver", () => postgresError("23505"), true],
  ["a conflict with a foreign cause", () => core.conflict({}, { cause: new Error("row 7 is locked") }), true],
  ["a foreign error", () => new Error("boom"), true],
  ["an abort that the caller did not ask for", () => new DOMException("The operation was aborted", "AbortError"), true],
];

function postgresError(code: string): Error {
  return Object.assign(new Error("duplicate key value (email)=(a@b.c)"), { code, severity: "ERROR" });
}

describe.each(ERAS)("%s: an incident through guard", (era) => {
  test.each(THROWN)("%s", async (_name, thrown, isReported) => {
    const incidents: Incident[] = [];
    const pair = await openPair(era, (server) => {
      guard(server, { sink: (incident) => incidents.push(incident) });
      server.registerTool("work", {}, () => {
        throw thrown();
      });
      return server;
    });
    const result = await pair.client.callTool({ name: "work", arguments: {} });
    expect(incidents).toHaveLength(isReported ? 1 : 0);
    const { "recourse/fault": fault } = (result as { _meta: { "recourse/fault": { incident?: string } } })._meta;
    expect(fault.incident).toBe(incidents[0]?.fault.incident);
  });
});

/** A tool that throws and one that waits too long, and what the operator learns about the answers. */
const ANSWERS: readonly (readonly [Dialect<unknown>, object, object])[] = [
  [mcp, { isError: true, severity: "error" }, { isError: true, severity: "error" }],
  [closient, { isError: true, code: -32300 }, { isError: true, code: -32300 }],
  [onx, { isError: true, code: 4000 }, { isError: true, code: 4001 }],
  [platica, { isError: false, code: -32603 }, { isError: true, code: 504 }],
  [
    erlmcp,
    { isError: false, code: -32031, severity: "warning" },
    { isError: false, code: -32032, severity: "warning" },
  ],
] as unknown as readonly (readonly [Dialect<unknown>, object, object])[];

describe.each(ERAS)("%s: an incident names code, form and duration of the answer", (era) => {
  test.each(ANSWERS)("(%#)", async (dialect, thrown, late) => {
    const incidents: Incident[] = [];
    const pair = await openPair(era, (server) => {
      guard(server, { dialect, deadlineMs: 60, sink: (incident) => incidents.push(incident) });
      server.registerTool("throws", {}, () => {
        throw new TypeError("boom");
      });
      server.registerTool("waits", {}, () => new Promise(() => {}));
      return server;
    });
    await pair.client.callTool({ name: "throws", arguments: {} }).catch(() => {});
    await pair.client.callTool({ name: "waits", arguments: {} }).catch(() => {});
    expect(incidents).toMatchObject([thrown, late]);
    const [first = -1, second = -1] = incidents.map(({ durationMs }) => durationMs);
    expect(first).toBeGreaterThanOrEqual(0);
    expect(second).toBeGreaterThanOrEqual(50);
  });
});

describe("an incident through guardHandler", () => {
  test.each(THROWN)("%s", async (_name, thrown, isReported) => {
    const incidents: Incident[] = [];
    const throwing = (_request: Request): Promise<Response> => Promise.reject(thrown());
    const handler = guardHandler(throwing, { sink: (incident) => incidents.push(incident) });
    await handler(post({ jsonrpc: "2.0", id: 1, method: "ping" }));
    expect(incidents).toHaveLength(isReported ? 1 : 0);
  });

  test("a request that the SDK refuses is not an incident", async () => {
    const incidents: Incident[] = [];
    const { fetch } = createMcpHandler(() => new McpServer({ name: "s", version: "1" }));
    const handler = guardHandler(fetch, { sink: (incident) => incidents.push(incident) });
    const { status } = await handler(post([]));
    expect(status).toBe(400);
    expect(incidents).toEqual([]);
  });
});

function post(message: unknown): Request {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  return new Request("http://127.0.0.1/mcp", { method: "POST", headers, body: JSON.stringify(message) });
}
