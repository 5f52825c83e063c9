// Every failed status of a real service, as callers of the tools get it, in MCP's own form and in Platica's.

import { STATUS_CODES } from "node:http";
import { McpServer } from "@modelcontextprotocol/server";
import { readFault } from "@recourse/core";
import { type Dialect, mcp, platica } from "@recourse/core/dialects";
import { type Incident, stderrSink } from "@recourse/core/server";
import { closeAfterTest, connectInMemory } from "@recourse/test-kit/fixtures";
import { startUpstream } from "@recourse/test-kit/loopback";
import { isNightly } from "@recourse/test-kit/runs";
import { afterAll, describe, expect, test } from "vitest";
import { openapi, type ServiceText } from "../src/index.ts";

const DOCUMENT = {
  openapi: "3.0.3",
  info: { title: "Any", version: "1" },
  paths: {
    "/answers/{status}": {
      parameters: [
        { name: "status", in: "path", required: true, schema: { type: "integer" } },
        { name: "body", in: "query", schema: { type: "string" } },
      ],
      get: { operationId: "read", responses: { 200: { description: "" } } },
      post: { operationId: "write", responses: { 200: { description: "" } } },
    },
  },
};

/** All of 3xx, 4xx and 5xx, and some that HTTP does not define. */
const FAILED = [...Array.from({ length: 300 }, (_, index) => 300 + index), 600, 783, 999];
const REQUEST_ID = "6f1c2f6e-5a0a-4a7e-9d5e-2f1a3b4c5d6e";

/** The service answers with the status and the body that it is asked for, after informational responses. */
const upstream = await startUpstream(async (hit, response) => {
  const url = new URL(hit.target, "http://service");
  const status = Number(url.pathname.split("/").at(-1));
  const body = url.searchParams.get("body") ?? "";
  response.writeProcessing();
  response.writeEarlyHints({ link: "</a.css>; rel=preload" });
  const type = /^\s*[{[]/.test(body) ? "application/json" : "text/plain";
  response.writeHead(status, { "content-type": type, location: "/elsewhere", "x-request-id": REQUEST_ID }).end(body);
});
afterAll(() => upstream.close());

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * The statuses of one test. By day each has all that HTTP defines, and a tenth of the others; the ten tests have different
 * tenths.
 */
function statusesFor(test: number): readonly number[] {
  return isNightly ? FAILED : FAILED.filter((status, index) => status in STATUS_CODES || index % 10 === test);
}

async function startServer(dialect: Dialect<unknown>, foreignText: ServiceText) {
  const incidents: Incident[] = [];
  const bridge = await openapi(DOCUMENT, {
    server: upstream.url,
    network: { allowPrivate: true },
    foreignText,
    sink: (incident) => incidents.push(incident),
  });
  const server = bridge.register(new McpServer({ name: "any", version: "1.0.0" }), { name: "any", dialect });
  const client = await connectInMemory(server);
  closeAfterTest(bridge);
  const call = async (name: "read" | "write", status: number, body = ""): Promise<Answer> =>
    (await client.callTool({ name, arguments: { status, body } })) as Answer;
  return { call, incidents };
}

/** A body with a code that differs from the status. */
const bodyOf = (status: number) => ({ code: 1_000 + status, error: `Refused ${status}`, details: { a: [1, null] } });
const BODIES = ["", "no JSON", '{"error":"x"}', "[1]"];
/** What a status allows: a reply with 304 has no body. */
const bodyFor = (status: number, body: string) => (status === 304 ? "" : body);

const TEXTS = ["hide", "public", "quote"] as const;
const CASES = [mcp, platica].map((dialect: Dialect<unknown>, index) => ({
  dialect,
  statusesOf: (test: number) => statusesFor(5 * index + test),
}));

describe.each(CASES)("in $dialect.name", ({ dialect, statusesOf }) => {
  test("a raw body is the text, its data is parsed beside it, and the fault is in _meta, for every status", async () => {
    const { call } = await startServer(dialect, "raw");
    for (const status of statusesOf(0).filter((one) => one !== 304)) {
      const text = ` ${JSON.stringify(bodyOf(status))}\n`;
      const { isError, content, structuredContent, _meta } = await call("write", status, text);
      expect({ status, isError, content }).toEqual({ status, isError: true, content: [{ type: "text", text }] });
      expect(structuredContent).toEqual(bodyOf(status));
      expect(readFault(_meta?.["recourse/fault"])).toMatchObject({ origin: { layer: "upstream" } });
    }
  });

  test("a raw body that is no JSON object has no data beside it, whatever the status", async () => {
    const { call } = await startServer(dialect, "raw");
    for (const status of statusesOf(1)) {
      const body = bodyFor(status, ["no JSON", "[1]", "7", ""][status % 4] ?? "");
      const { isError, content, structuredContent, _meta } = await call("write", status, body);
      expect({ status, isError, structuredContent }).toEqual({ status, isError: true, structuredContent: undefined });
      if (body === "") expect(content[0]?.text).not.toBe("");
      else expect(content).toEqual([{ type: "text", text: body }]);
      expect(_meta?.["recourse/fault"]).toBeDefined();
    }
  });

  test.each(TEXTS)("with %s, every status is a failed tool", async (foreignText) => {
    const { call } = await startServer(dialect, foreignText);
    for (const status of statusesOf(2 + TEXTS.indexOf(foreignText))) {
      const bodies = status === 411 ? BODIES : [BODIES[status % 4] ?? ""];
      for (const body of bodies) {
        const { isError, content } = await call("read", status, bodyFor(status, body));
        expect({ status, isError }).toEqual({ status, isError: true });
        expect(content[0]?.text).not.toBe("");
      }
    }
  });
});

describe("the id that the service gave to its request", () => {
  test("is in the fault, in the advice about a failure of the service, and in the log", async () => {
    const { call, incidents } = await startServer(mcp, "public");
    const { content, _meta } = await call("write", 500, '{"error":"boom"}');
    expect(_meta?.["recourse/fault"]).toMatchObject({ requestId: REQUEST_ID });
    const advice = new RegExp(`If you report this, give incident \\w{26} and request id ${REQUEST_ID}\\.$`);
    expect(content[0]?.text).toMatch(advice);
    expect(logOf(incidents)).toContain(` request_id=${REQUEST_ID} `);
    const said = `POST /answers/{status} answered with status 500, request id ${REQUEST_ID}: {"error"`;
    expect(logOf(incidents)).toContain(said);
  });

  test("is beside a raw body together with an incident, and in the log", async () => {
    const { call, incidents } = await startServer(platica, "raw");
    const { content, _meta } = await call("write", 500, '{"error":"boom"}');
    expect(content).toEqual([{ type: "text", text: '{"error":"boom"}' }]);
    const fault = _meta?.["recourse/fault"];
    expect(fault).toMatchObject({ requestId: REQUEST_ID, incident: expect.stringMatching(/^\w{26}$/) });
    expect(incidents).toMatchObject([{ tool: "write", fault: { incident: fault?.["incident"] } }]);
    expect(logOf(incidents)).toContain(`incident=${fault?.["incident"]} request_id=${REQUEST_ID} `);
  });
});

function logOf(incidents: readonly Incident[]): string {
  let text = "";
  const sink = stderrSink({ write: (line) => (text += line) });
  for (const incident of incidents) sink(incident);
  return text;
}
