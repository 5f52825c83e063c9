import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { closient, type Dialect, erlmcp, mcp, onx, platica, qaqnuz } from "../../dialects/index.ts";
import type { Incident } from "../../incidents/incident.ts";
import { guard } from "../guard.ts";
import { guardHandler } from "../http/guard-handler.ts";
import type { GuardOptions } from "../options.ts";

const CLIENT = { name: "c", version: "1" };
const INIT = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: CLIENT };

/** Parameters that any stranger can send, and what is said about them. */
const WRONG: readonly (readonly [about: string, method: string, params: unknown, details: string])[] = [
  ["no name of a tool", "tools/call", {}, "name is required (the name of a tool)"],
  ["a name that is a number", "tools/call", { name: 5 }, "name must be the name of a tool"],
  ["arguments in a list", "tools/call", { name: "echo", arguments: [1] }, "arguments must be an object"],
  ["nothing to initialize with", "initialize", {}, "protocolVersion is required (a string)"],
  ["a version that is a number", "initialize", { ...INIT, protocolVersion: 5 }, "protocolVersion must be a string"],
  ["no capabilities", "initialize", { ...INIT, capabilities: undefined }, "capabilities is required (an object)"],
  [
    "a capability that is none",
    "initialize",
    { ...INIT, capabilities: { sampling: 5 } },
    "capabilities.sampling has the wrong type",
  ],
  ["no client", "initialize", { ...INIT, clientInfo: undefined }, "clientInfo is required (an object with name and"],
  ["a client without a name", "initialize", { ...INIT, clientInfo: {} }, "clientInfo must be an object with name and"],
  ["an unknown level", "logging/setLevel", { level: "zzz" }, "level must be one of debug, info, notice"],
  ["no level", "logging/setLevel", {}, "level is required (one of debug, info, notice"],
];

async function ask(method: string, params: unknown, options: GuardOptions) {
  const handler = guardHandler(
    createMcpHandler(() => {
      const server = guard(new McpServer({ name: "s", version: "1" }, { capabilities: { logging: {} } }), options);
      server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, () => ({ content: [] }));
      return server;
    }),
    options,
  );
  const version = method === "initialize" ? {} : { "mcp-protocol-version": "2025-06-18" };
  const request = new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...version },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const text = await (await handler.fetch(request)).text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as { readonly error?: unknown; readonly result?: unknown };
}

describe.each(WRONG)("%s", (_about, method, params, details) => {
  test("is said in erlmcp as wrong parameters", async () => {
    const incidents: Incident[] = [];
    const answer = await ask(method, params, { dialect: erlmcp, sink: (incident) => incidents.push(incident) });
    expect(answer.error).toEqual({
      code: -32602,
      message: "Invalid params",
      data: { details: expect.stringContaining(details) as string },
    });
    expect(incidents).toEqual([]);
  });

  test.each([mcp, onx, platica, closient, qaqnuz] as Dialect<unknown>[])(
    "is no internal error and no incident in $name",
    async (dialect) => {
      const incidents: Incident[] = [];
      const answer = await ask(method, params, { dialect, sink: (incident) => incidents.push(incident) });
      expect(incidents).toEqual([]);
      expect(JSON.stringify(answer)).not.toContain("-32603");
      if (dialect.name === "mcp") expect(answer.error).toMatchObject({ code: -32602 });
    },
  );
});

test("an operator who wants to know of callers' mistakes is not alarmed by them", async () => {
  const incidents: Incident[] = [];
  const options = { dialect: erlmcp, reportCallerErrors: true, sink: (one: Incident) => incidents.push(one) };
  await ask("tools/call", {}, options);
  await ask("initialize", {}, options);
  expect(incidents.map(({ code, severity }) => [code, severity])).toEqual([
    [-32602, "error"],
    [-32602, "error"],
  ]);
});
