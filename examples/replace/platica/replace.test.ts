// The server before and after the move, over HTTP.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { readFault } from "@recourse/faults";
import type { Incident } from "@recourse/faults/server";
import { type LoopbackServer, listenOnLoopback, readWebRequest } from "@recourse/test-kit/loopback";
import { afterAll, describe, expect, test } from "vitest";
import * as after from "./after.ts";
import { createApi, DOCUMENT } from "./api.ts";
import * as before from "./before.ts";

type Handler = (request: Request) => Promise<Response>;
const SIDES = ["before", "after"] as const;
type Side = (typeof SIDES)[number];

const KEY = "pl_key_demo_0123456789abcdef";
const incidents: Incident[] = [];
const sink = (incident: Incident) => void incidents.push(incident);
const open: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of open) await one.close();
});

const api = await listenOnLoopback(createApi());
const tools = await after.openTools(api.url.origin, DOCUMENT, sink);
const away = await after.openTools("http://127.0.0.1:9", DOCUMENT, sink);
const SERVERS: Readonly<Record<Side, LoopbackServer>> = {
  before: await serve(before.createHandler(api.url.origin)),
  after: await serve(after.createHandler(tools, sink)),
};
open.push(tools, away, api);

async function serve(handle: Handler): Promise<LoopbackServer> {
  const server = await listenOnLoopback(
    createServer(async (incoming, outgoing) => {
      const response = await handle(await readWebRequest(incoming));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
    }),
  );
  open.unshift(server);
  return server;
}

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

async function call(url: URL, name: string, args: Record<string, unknown>): Promise<Result> {
  const client = new Client({ name: "agent", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${KEY}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  try {
    return (await client.callTool({ name, arguments: args })) as unknown as Result;
  } finally {
    await client.close();
  }
}

/** The error in the answer to a request without a client. */
async function errorOf(side: Side, init: RequestInit): Promise<unknown> {
  const headers = { "content-type": "application/json", accept: "application/json", ...init.headers };
  const response = await fetch(SERVERS[side].url, { ...init, headers });
  const { error } = (await response.json()) as { readonly error?: { readonly code: number } };
  return { status: response.status, code: error?.code };
}

describe("what clients get from both", () => {
  test.each(["400", "403", "404", "418", "422", "500", "502"])("status %s: the body and its data", async (id) => {
    const [old, moved] = await Promise.all(SIDES.map((side) => call(SERVERS[side].url, "get_client", { id })));
    expect(old?.isError).toBe(true);
    expect(moved).toMatchObject({ isError: true, content: old?.content ?? [] });
    expect(moved?.structuredContent).toEqual(old?.structuredContent);
  });

  test.each(SIDES)("a success: %s", async (side) => {
    const { isError, structuredContent } = await call(SERVERS[side].url, "get_client", { id: "7" });
    expect({ isError: isError === true, structuredContent }).toEqual({
      isError: false,
      structuredContent: { id: "7", name: "Ada" },
    });
  });

  test("arguments that the schema refuses: the same paths and codes, and one line for each", async () => {
    const args = { stage: "friend" };
    const [old, moved] = await Promise.all(SIDES.map((side) => call(SERVERS[side].url, "create_client", args)));
    const issuesOf = (result: Result | undefined) => {
      const issues = (result?.structuredContent?.["issues"] ?? []) as { path: unknown; code: unknown }[];
      return issues.map(({ path, code }) => [path, code]);
    };
    expect(issuesOf(old)).toHaveLength(2);
    expect(issuesOf(moved)).toEqual(issuesOf(old));
    for (const result of [old, moved])
      expect(result?.content[0]?.text.split("\n").map((line) => line.split(": ", 1)[0])).toEqual(["name", "stage"]);
    const firstLine = (result: Result | undefined) => result?.content[0]?.text.split("\n")[0];
    expect(firstLine(old)).toBe("name: Invalid input: expected string, received undefined");
    expect(firstLine(moved)).toBe("name: Required: expected a string.");
  });

  const authorization = `Bearer ${KEY}`;
  test.each<[string, RequestInit, object]>([
    ["no key", { method: "POST", body: "{}" }, { status: 401, code: -32001 }],
    ["GET", { method: "GET", headers: { authorization } }, { status: 405, code: -32000 }],
    ["DELETE", { method: "DELETE", headers: { authorization } }, { status: 405, code: -32000 }],
    ["no JSON", { method: "POST", headers: { authorization }, body: "{" }, { status: 400, code: -32602 }],
    [
      "no method",
      { method: "POST", headers: { authorization }, body: '{"jsonrpc":"2.0","id":1}' },
      { status: 400, code: -32602 },
    ],
  ])("%s: the same code", async (_, init, expected) => {
    for (const side of SIDES) expect(await errorOf(side, init)).toEqual(expected);
  });
});

describe("what is better after", () => {
  test("a key that the API repeats does not reach the model", async () => {
    const [old, moved] = await Promise.all(SIDES.map((side) => call(SERVERS[side].url, "get_client", { id: "401" })));
    expect(JSON.stringify(old)).toContain(KEY);
    expect(JSON.stringify(moved)).not.toContain(KEY);
    expect(moved?.isError).toBe(true);
    expect(moved?.content).toMatchObject([{ text: expect.stringMatching(/^Valid credentials are required\./) }]);
    expect(moved).not.toHaveProperty("structuredContent");
  });

  test("a failure of the API has an incident, a request id and retry facts", async () => {
    incidents.length = 0;
    const { _meta } = await call(SERVERS.after.url, "get_client", { id: "500" });
    const fault = _meta?.["recourse/fault"];
    expect(readFault(fault)).toMatchObject({ kind: "upstream_failed", effect: "none", recourse: [{ do: "retry" }] });
    expect(incidents).toMatchObject([{ fault: { incident: fault?.["incident"], requestId: fault?.["requestId"] } }]);
    expect(fault?.["requestId"]).toMatch(/^[0-9a-f-]{36}$/);
    expect((await call(SERVERS.before.url, "get_client", { id: "500" }))._meta?.["recourse/fault"]).toBeUndefined();
  });

  test("an API that is away is a failed tool, without the words of the network", async () => {
    const old = await serve(before.createHandler("http://127.0.0.1:9"));
    await expect(call(old.url, "get_client", { id: "7" })).rejects.toThrow("fetch failed");
    const moved = await serve(after.createHandler(away, sink));
    expect(await call(moved.url, "get_client", { id: "7" })).toMatchObject({
      isError: true,
      structuredContent: { code: 503 },
    });
  });
});

test("the page shows these files", () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const files = read("./before.ts") + read("./after.ts");
  const blocks = [...read("../../../docs/replace/platica.md").matchAll(/^```ts\n([\s\S]*?)^```$/gm)];
  expect(blocks.length).toBeGreaterThan(2);
  for (const [, code = ""] of blocks) expect(files).toContain(code);
});
