// Servers that attack: the probe ends by its own limits and says what it saw.
import { expect, test } from "vitest";
import { gather } from "../../src/gather/gather.ts";
import { parseRecording, serializeRecording } from "../../src/recording/parse.ts";
import { exchangesOf, handMade, listen, recordingOf, textOf } from "../support/record.ts";

const OLDER = { eras: ["2025-11-25"] } as const;
const options = () => ({ signal: new AbortController().signal, now: Date.now, ...OLDER });
const READ = { readOnlyHint: true };

test("a server that answers 401 to everything asks for credentials", async () => {
  const server = await listen((_request, response) => response.writeHead(401).end());
  const gathered = await gather({ transport: "http", url: server.url }, options());
  await server.close();
  expect(gathered).toMatchObject({ ok: false, failure: { code: "credentials" } });
});

test("a redirect is not followed", async () => {
  let visits = 0;
  const other = await listen((_request, response) => {
    visits += 1;
    response.end();
  });
  const server = await listen((_request, response) => response.writeHead(307, { location: other.url }).end());
  const gathered = await gather({ transport: "http", url: server.url }, options());
  await Promise.all([server.close(), other.close()]);
  expect(gathered).toMatchObject({ ok: false, failure: { code: "unreachable" } });
  expect(JSON.stringify(gathered)).toContain("307");
  expect(visits).toBe(0);
});

test("nothing listens", async () => {
  const server = await listen(() => {});
  await server.close();
  const gathered = await gather({ transport: "http", url: server.url }, options());
  expect(gathered).toMatchObject({ ok: false, failure: { code: "unreachable" } });
});

test("an answer with another id is not the answer", async () => {
  const recording = await recordingOf(
    handMade({
      "tools/list": ({ response }) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end('{"jsonrpc":"2.0","id":"another","result":{"tools":[{"name":"stolen"}]}}');
      },
    }),
    OLDER,
  );
  expect(exchangesOf(recording, "list", "tools/list")[0]?.answer.kind).toBe("body");
  expect(recording.eras[0]?.tools).toEqual([]);
});

test("a list without an end is read for ten pages", async () => {
  let pages = 0;
  const recording = await recordingOf(
    handMade({
      "tools/list": () => {
        pages += 1;
        return { tools: [{ name: `tool_${pages}`, inputSchema: { type: "object" } }], nextCursor: `page-${pages}` };
      },
    }),
    OLDER,
  );
  expect(exchangesOf(recording, "list", "tools/list")).toHaveLength(10);
  expect(recording.eras[0]?.leftOut?.find(({ stimulus }) => stimulus === "list")?.because).toContain(
    "first 10 entries",
  );
});

test("hostile schemas and names are left alone with a reason, and ids can be printed", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { type: "string" }]),
  );
  const tool = (name: string, inputSchema: unknown) => ({ name, inputSchema, annotations: READ });
  const recording = await recordingOf(
    handMade({
      "tools/list": () => ({
        tools: [
          tool("huge", { type: "object", properties, required: Object.keys(properties) }),
          tool("loop", {
            type: "object",
            properties: { a: { $ref: "#/properties/b" }, b: { $ref: "#/properties/a" } },
            required: ["a"],
          }),
          tool("pattern", {
            type: "object",
            properties: { a: { type: "string", pattern: "^(a+)+$" } },
            required: ["a"],
          }),
          tool("broken", { type: "object", properties: { a: { type: "string", pattern: "(" } }, required: ["a"] }),
          tool("none", "text"),
          tool("get\u001b[31m/..\n", { type: "object", properties: { a: { type: "string" } }, required: ["a"] }),
          tool("__proto__", { type: "object", properties: { a: { type: "string" } }, required: ["a"] }),
          7,
        ],
      }),
      "tools/call": () => ({ content: [], isError: true }),
    }),
    OLDER,
  );
  const spared = new Map(recording.eras[0]?.spared.map(({ tool: name, because }) => [name, because]));
  expect([...spared.keys()]).toEqual(["huge", "loop", "pattern", "broken", "none"]);
  expect(spared.get("huge")).toContain("too large");
  expect(spared.get("pattern")).toContain("very long");
  const ids = recording.eras[0]?.exchanges.map(({ id }) => id) ?? [];
  for (const id of ids) expect(id).toMatch(/^[\w.:/-]+$/);
  expect(new Set(ids).size).toBe(ids.length);
  const read = parseRecording(serializeRecording(recording));
  expect(read).toEqual({ ok: true, recording });
});

test("a stream without an end is cut", async () => {
  const recording = await recordingOf(
    handMade({
      "tools/list": () => ({ tools: [] }),
      "tools/call": ({ params, response }) => {
        response.on("error", () => {});
        if (params["name"] !== "recourse-probe-value") return { content: [], isError: true };
        response.writeHead(200, { "content-type": "text/event-stream" });
        const event = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "x", params: "y".repeat(60_000) })}\n\n`;
        const flood = (): void => {
          while (!response.destroyed && response.write(event));
          if (!response.destroyed) response.once("drain", flood);
        };
        flood();
        return undefined;
      },
    }),
    OLDER,
  );
  const [first] = exchangesOf(recording, "unknown-tool", "first");
  expect(first?.answer).toMatchObject({ kind: "body", http: { streamed: true } });
  expect(textOf(first?.answer).length).toBeLessThanOrEqual(20_000);
});

test("an answer that drips is given up", async () => {
  const recording = await recordingOf(
    handMade({
      "tools/list": () => ({ tools: [] }),
      "recourse/probe": ({ response }) => {
        response.writeHead(200, { "content-type": "application/json" });
        const timer = setInterval(() => response.write(" "), 100);
        response.on("close", () => clearInterval(timer));
      },
    }),
    { ...OLDER, only: ["unknown-method"], waits: { requestMs: 500 } },
  );
  expect(exchangesOf(recording, "unknown-method")[0]?.answer).toMatchObject({ kind: "silent", strays: [] });
});

test("an answer nested too deeply is a body, and the recording can be written", async () => {
  const deep = "[".repeat(50_000) + "]".repeat(50_000);
  const recording = await recordingOf(
    handMade({
      "tools/call": ({ id, response }) => {
        response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":${deep}}}`);
      },
    }),
    OLDER,
  );
  expect(exchangesOf(recording, "unknown-tool")[0]?.answer.kind).toBe("body");
  expect(parseRecording(serializeRecording(recording)).ok).toBe(true);
});
