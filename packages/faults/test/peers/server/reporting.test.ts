import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import type { Incident } from "../../../src/incidents/incident.ts";
import { core, fail } from "../../../src/index.ts";
import { guard, guardHandler } from "../../../src/server/index.ts";
import { ERAS, pairOf } from "../sdk-pairs.ts";

/** What a handler throws, and whether it is reported as an incident. */
const THROWN: readonly (readonly [string, () => unknown, boolean])[] = [
  ["a declared conflict", () => core.conflict(), false],
  ["a declared rate limit", () => fail.rate_limited`Too many.`, false],
  ["a declared outage", () => core.unavailable(), true],
  ["a conflict that hides the text of a driver", () => postgresError("23505"), true],
  ["a conflict with a foreign cause", () => core.conflict({}, { cause: new Error("row 7 is locked") }), true],
  ["a foreign error", () => new Error("boom"), true],
  ["an abort", () => new DOMException("The operation was aborted", "AbortError"), false],
];

function postgresError(code: string): Error {
  return Object.assign(new Error("duplicate key value (email)=(a@b.c)"), { code, severity: "ERROR" });
}

describe.each(ERAS)("%s: an incident through guard", (era) => {
  test.each(THROWN)("%s", async (_name, thrown, isReported) => {
    const incidents: Incident[] = [];
    const pair = await pairOf(era, (server) => {
      guard(server, { sink: (incident) => incidents.push(incident) });
      server.registerTool("work", {}, () => {
        throw thrown();
      });
      return server;
    });
    const result = await pair.client.callTool({ name: "work", arguments: {} });
    await pair.close();
    expect(incidents).toHaveLength(isReported ? 1 : 0);
    const { "recourse/fault": fault } = (result as { _meta: { "recourse/fault": { incident?: string } } })._meta;
    expect(fault.incident).toBe(incidents[0]?.fault.incident);
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
