// Both servers over HTTP: the wire that the document promises is the same, and what the kit adds.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Incident } from "@recourse/faults/server";
import { type LoopbackServer, listenOnLoopback, readWebRequest } from "@recourse/test-kit/loopback";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createHandler } from "./after.ts";
import { server as before } from "./before.ts";

const incidents: Incident[] = [];
const servers: Partial<Record<"before" | "after", LoopbackServer>> = {};
vi.spyOn(console, "error").mockImplementation(() => {});

beforeAll(async () => {
  const handler = createHandler((incident) => incidents.push(incident));
  const after = createServer(async (incoming, outgoing) => {
    const response = await handler.fetch(await readWebRequest(incoming));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    for await (const chunk of response.body ?? []) outgoing.write(chunk);
    outgoing.end();
  });
  servers.before = await listenOnLoopback(before);
  servers.after = await listenOnLoopback(after);
});
afterAll(async () => {
  await servers.before?.close();
  await servers.after?.close();
});

interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

async function send(which: "before" | "after", body: string): Promise<{ text: string; error: WireError | undefined }> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const response = await fetch(servers[which]?.url ?? "", { method: "POST", headers, body });
  const sent = await response.text();
  const text =
    sent
      .split("\n")
      .find((line) => line.startsWith("data: "))
      ?.slice(6) ?? sent;
  return { text, error: (JSON.parse(text) as { error?: WireError }).error };
}

const call = (name: string, args: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });

/** `data` without the id of the incident, which the document does not know. */
function documented({ code, message, data }: WireError): unknown {
  if (typeof data !== "object" || data === null) return { code, message, data };
  const { incident: _id, ...rest } = data as Record<string, unknown>;
  return { code, message, data: Object.keys(rest).length === 0 ? undefined : rest };
}

describe("the same on the wire", () => {
  test.each([
    ["an unknown tool", call("nobody"), -32002],
    ["a tool that takes too long", call("render_report"), -32032],
    ["a rate limit", call("export"), -32010],
    ["an unknown method", JSON.stringify({ jsonrpc: "2.0", id: 1, method: "no/such" }), -32601],
    ["a message that is too large", call("x".repeat(16_777_216)), -32012],
  ])("%s", async (_about, body, code) => {
    const [old, now] = [await send("before", body), await send("after", body)];
    expect(old.error?.code).toBe(code);
    expect(documented(now.error as WireError)).toEqual(documented(old.error as WireError));
  });

  test.each([
    ["broken JSON", "{oops", -32700, "Parse error"],
    ["no method", '{"jsonrpc":"2.0","id":1}', -32600, "Invalid Request"],
    ["wrong arguments", call("calculate", { a: 1 }), -32034, "Invalid tool arguments"],
    ["a tool that throws", call("database_query", { sql: "select 1" }), -32031, "Tool execution failed"],
  ])("%s: code and message", async (_about, body, code, message) => {
    for (const which of ["before", "after"] as const) {
      expect((await send(which, body)).error).toMatchObject({ code, message });
    }
  });

  test("a result", async () => {
    for (const which of ["before", "after"] as const) {
      const { text } = await send(which, call("calculate", { a: 2, b: 3 }));
      expect(JSON.parse(text)).toMatchObject({ id: 1, result: { content: [{ type: "text", text: "5" }] } });
    }
  });
});

describe("what clients notice", () => {
  const request = (message: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });
  test.each([
    ["no method", request({}), -32600, "Missing required field: method", -32600, "method is required (a string)"],
    [
      "no name of a tool",
      request({ method: "tools/call", params: {} }),
      -32002,
      { tool: "undefined" },
      -32602,
      "name is required (the name of a tool)",
    ],
    [
      "an id that is null",
      request({ id: null, method: "tools/call", params: { name: "calculate", arguments: { a: 2, b: 3 } } }),
      undefined,
      undefined,
      -32600,
      "id must be a string or an integer",
    ],
    ["broken JSON", "{oops", -32700, expect.stringContaining("JSON"), -32700, "The message is not valid JSON."],
  ])("%s", async (_about, body, codeBefore, dataBefore, code, details) => {
    const { error: old } = await send("before", body);
    expect([old?.code, old?.data]).toEqual([codeBefore, dataBefore]);
    const { error: now } = await send("after", body);
    expect([now?.code, now?.data]).toEqual([code, { details, incident: expect.any(String) as string }]);
  });
});

describe("what got better", () => {
  test("the password of the database stays at the server, under an id that the caller gets too", async () => {
    incidents.length = 0;
    const body = call("database_query", { sql: "select 1" });
    expect((await send("before", body)).text).toContain("hunter2");
    const { text, error } = await send("after", body);
    expect(text).not.toMatch(/hunter2|10\.0\.0\.5/);
    const [incident] = incidents;
    expect(error?.data).toEqual({ tool: "database_query", incident: incident?.fault.incident });
    expect(String(incident?.cause)).toContain("hunter2");
    expect(incident).toMatchObject({ code: -32031, tool: "database_query", severity: "warning" });
  });

  test("all wrong arguments are named at once", async () => {
    const { error } = await send("after", call("calculate", { a: "1" }));
    expect(error?.data).toMatchObject({ details: "a must be a number. b is required (a number)" });
  });

  test("every error is logged, with what the caller got", async () => {
    incidents.length = 0;
    await send("after", call("nobody"));
    await send("after", "{");
    expect(incidents.map(({ code, severity }) => [code, severity])).toEqual([
      [-32002, "error"],
      [-32700, "critical"],
    ]);
  });
});

test("the page shows code of these files", () => {
  const page = readFileSync(new URL("../../../docs/replace/erlmcp.md", import.meta.url), "utf8");
  const sources = ["before.ts", "after.ts"].map((name) => readFileSync(new URL(name, import.meta.url), "utf8"));
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code.trimEnd());
  expect(blocks.length).toBeGreaterThanOrEqual(2);
  expect(blocks.filter((block) => !sources.some((source) => source.includes(block)))).toEqual([]);
});
