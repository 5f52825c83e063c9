// Five documents with the shapes of large public ones, called as tools through the official clients. The service finds the
// operation of each request in the document by itself, and answers what it found.
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import { checkArguments } from "@recourse/core/schema";
import { openHttpPair } from "@recourse/test-kit/fixtures";
import { answerJson, type Hit, startUpstream, type TestUpstream } from "@recourse/test-kit/loopback";
import { isNightly } from "@recourse/test-kit/runs";
import type { Era, SdkPair } from "@recourse/test-kit/sdk-pairs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { apiKey, type Bridge, basic, bearer, openapi, type Tool } from "../src/index.ts";
import { sample } from "./sample.ts";

const KEY = "key_0123456789abcdef";
const INFO = { name: "bridge", version: "1.0.0" };

const [asBearer, asUser] = [`Bearer ${KEY}`, `Basic ${Buffer.from(`${KEY}:`).toString("base64")}`];
const [token, session] = [bearer(KEY), apiKey(KEY)];

/** Each with the number of its tools, and what the service gets as its credential. */
const ROWS = [
  { file: "crm.yaml", tools: 40, credential: token, expected: asBearer },
  { file: "payments.yaml", tools: 59, credential: basic(KEY), expected: asUser },
  { file: "code-hosting.yaml", tools: 46, credential: { token }, expected: asBearer },
  { file: "messaging.json", tools: 41, credential: { token: session, session }, expected: KEY },
  { file: "cluster.json", tools: 68, credential: token, expected: asBearer },
];

function credentialOf({ headers, target }: Hit): unknown {
  const cookie = /(?:^|; )session=([^;]*)/.exec(String(headers["cookie"]))?.[1];
  return headers["authorization"] ?? new URL(target, "http://x").searchParams.get("token") ?? cookie;
}

/** The operation that a request is for, found in the document alone. */
function found(paths: readonly string[], hit: Hit): { template: string; values: Record<string, string> } | undefined {
  const path = new URL(hit.target, "http://x").pathname.replace(/^\/base/, "");
  const fits = paths.flatMap((template) => {
    const names = [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
    const form = template
      .split(/\{[^{}]+\}/)
      .map((text) => text.replaceAll(/[^\w/]/g, "\\$&"))
      .join("([^/]+)");
    const values = new RegExp(`^${form}$`).exec(path)?.slice(1);
    return values === undefined ? [] : [{ template, names, values }];
  });
  const [best] = fits.toSorted((a, b) => a.names.length - b.names.length);
  if (best === undefined) return undefined;
  const values = best.names.map((name, index) => [name, decodeURIComponent(best.values[index] ?? "")] as const);
  return { template: best.template, values: Object.fromEntries(values) };
}

describe.each(ROWS)("$file", ({ file, tools: count, credential, expected }) => {
  const text = readFileSync(new URL(`./documents/${file}`, import.meta.url), "utf8");
  const paths = Object.keys((parse(text) as { paths: object }).paths);
  let upstream: TestUpstream;
  let bridge: Bridge;

  beforeAll(async () => {
    upstream = await startUpstream((hit: Hit, response: ServerResponse) => {
      const match = found(paths, hit);
      const { searchParams } = new URL(hit.target, "http://x");
      const query = [...searchParams.keys()].map((key) => [key, searchParams.getAll(key)] as const);
      answerJson(response, match === undefined ? 404 : 200, {
        operation: `${hit.method} ${match?.template}`,
        path: match?.values,
        query: Object.fromEntries(query),
        type: String(hit.headers["content-type"]).split(";", 1)[0],
        body: hit.body.toString(),
        isProven: credentialOf(hit) === expected,
      });
    });
    bridge = await openapi(text, { server: `${upstream.url}/base`, credential, network: { allowPrivate: true } });
  });
  afterAll(async () => {
    await bridge.close();
    await upstream.close();
  });

  test("every operation that can be sent is a tool", () => {
    expect(bridge.tools).toHaveLength(count);
    expect(bridge.report.uncredentialed).toEqual([]);
  });

  test.each<Era>(["v2 modern", "v1"])(
    "all tools are listed and called through the official client: %s",
    async (era) => {
      const make = () => bridge.register(era === "v1" ? new McpServerV1(INFO) : new McpServerV2(INFO));
      const pair = await openHttpPair(era, make);
      const listed = (await pair.client.listTools()) as { tools: readonly { name: string; inputSchema: object }[] };
      expect(listed.tools.map(({ name }) => name)).toEqual(bridge.tools.map(({ name }) => name));
      for (const tool of calledIn(era, bridge.tools)) await check(pair, upstream, tool);
    },
  );
});

/** A tool sends the same request in both versions, so by day each version calls half of the tools. */
function calledIn(era: Era, tools: readonly Tool[]): readonly Tool[] {
  return isNightly ? tools : tools.filter((_, index) => index % 2 === (era === "v1" ? 1 : 0));
}

function isInQuery({ operation }: Tool): boolean {
  return operation.credentialParameters.length > 0 && operation.security.length > 0;
}

/** Calls a tool with all its arguments, and compares what the service found with what was sent. */
async function check({ client }: SdkPair, upstream: TestUpstream, tool: Tool): Promise<void> {
  const args = sample(tool.inputSchema) as Record<string, unknown>;
  expect(checkArguments(args, tool.inputSchema), tool.name).toEqual([]);
  const before = upstream.hits.length;
  const result = (await client.callTool({ name: tool.name, arguments: args })) as Record<string, unknown>;
  expect(result["isError"], `${tool.name}: ${JSON.stringify(result)}`).not.toBe(true);
  expect(upstream.hits.length - before, tool.name).toBe(1);
  const { method, path, body } = tool.operation;
  if (method === "HEAD") return;
  const seen = result["structuredContent"] as Record<string, never>;
  const given = (place: string) =>
    tool.operation.arguments.filter((one) => one.in === place && args[one.name] !== undefined && one.key !== undefined);
  const isScalar = (name: string) => typeof args[name] !== "object";
  const pathValues = given("path").filter(({ name }) => isScalar(name));
  const queryValues = given("query").filter(({ name }) => isScalar(name));
  expect(seen, tool.name).toMatchObject({
    operation: `${method} ${path}`,
    path: Object.fromEntries(pathValues.map(({ key = "", name }) => [key, String(args[name])])),
    query: Object.fromEntries(queryValues.map(({ key = "", name }) => [key, [String(args[name])]])),
    ...(tool.operation.security.length > 0 && { isProven: true }),
    ...(body !== undefined && { type: body.mediaType.split(";", 1)[0] }),
  });
  // Lists and objects have many forms, which have tests of their own; here they only have to be present.
  expect(Object.keys(seen["query"] ?? {}).length === 0, tool.name).toBe(
    given("query").length === 0 && !isInQuery(tool),
  );
  const members = given("body");
  if (body?.form === "json" && members.length > 0)
    expect(JSON.parse(seen["body"] ?? ""), tool.name).toEqual(
      Object.fromEntries(members.map(({ key = "", name }) => [key, args[name]])),
    );
  for (const { key = "" } of body?.form === "form" || body?.form === "multipart" ? members : [])
    expect(decodeURIComponent(seen["body"] ?? ""), tool.name).toContain(key);
}
