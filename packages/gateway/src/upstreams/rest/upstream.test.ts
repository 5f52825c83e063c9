import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fault } from "@recourse/core";
import {
  answerJson,
  type TestUpstream as Service,
  startUpstream,
  type UpstreamAnswer,
} from "@recourse/test-kit/loopback";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Upstream, UpstreamReply, UpstreamRequest } from "../../call/upstream.ts";
import { createRestUpstream, parseExactly, type RestConfig, type RestUpstreamParts } from "./upstream.ts";

const JSON_BODY = { content: { "application/json": { schema: {} } } };
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "CRM", version: "1" },
  paths: {
    "/clients": {
      post: {
        operationId: "createClient",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { name: { type: "string" }, score: { type: "number" } },
                required: ["name"],
              },
            },
          },
        },
        responses: { 201: { description: "Made.", ...JSON_BODY } },
      },
    },
    "/clients/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      get: { operationId: "getClient", responses: { 200: { description: "One.", ...JSON_BODY } } },
    },
  },
};

let folder: string;
const open: { close(): Promise<void> }[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rest-"));
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  readonly upstream: Upstream;
  readonly service: Service;
}

async function start(
  answer: UpstreamAnswer,
  more: Partial<RestConfig> = {},
  parts?: RestUpstreamParts,
): Promise<Started> {
  const service = await startUpstream(answer);
  const document = join(folder, "crm.json");
  writeFileSync(document, JSON.stringify(DOCUMENT));
  const upstream = createRestUpstream(configFor(document, { server: service.url, ...more }), parts);
  open.push(upstream, service);
  return { upstream, service };
}

function configFor(document: string, more: Partial<RestConfig> = {}): RestConfig {
  return {
    kind: "openapi",
    document,
    server: undefined,
    name: "crm",
    prefix: "crm__",
    foreignText: "public",
    speaksFaults: false,
    trustAnnotations: true,
    dialect: undefined,
    timeoutMs: 600_000,
    honoursKeys: false,
    credential: { kind: "none" },
    ...more,
  };
}

function send(upstream: Upstream, method: string, params: string, target?: string): Promise<UpstreamReply> {
  const request: UpstreamRequest = {
    method,
    target,
    id: '"call-1"',
    params: Buffer.from(params),
    parsed: undefined,
    session: "s",
    caller: { id: "acme/ci", tenant: "acme" },
    timeoutMs: 600_000,
    signal: new AbortController().signal,
    onNotification: () => {},
  };
  return upstream.send(request);
}

const create = (upstream: Upstream, args: string, meta = "") =>
  send(upstream, "tools/call", `{"name":"createClient","arguments":${args}${meta}}`, "createClient");

function faultOf(reply: UpstreamReply): Fault {
  if (reply.kind !== "failed") throw new Error("the call succeeded");
  return reply.fault;
}

const bodyOf = (reply: UpstreamReply) => (reply.kind === "answer" ? reply.body.toString() : "");
const made: UpstreamAnswer = (_, response) => answerJson(response, 201, { id: 1 });
const signal = new AbortController().signal;

describe("an API as an upstream", () => {
  test("is ready in the newer era, and lists all of its tools at once", async () => {
    const { upstream } = await start(made);
    expect(upstream.about).toBeUndefined();
    await expect(upstream.ready(signal)).resolves.toBe("2026-07-28");
    expect(upstream.ready(signal)).toBe("2026-07-28");
    expect(upstream.about).toEqual({ capabilities: { tools: {} }, instructions: undefined });
    const listed = JSON.parse(bodyOf(await send(upstream, "tools/list", "{}")));
    expect(listed).toMatchObject({ jsonrpc: "2.0", id: "call-1", result: { resultType: "complete" } });
    const names = listed.result.tools.map(({ name, annotations }: never) => [name, annotations]);
    expect(names).toEqual([
      ["createClient", expect.objectContaining({ readOnlyHint: false })],
      ["getClient", expect.objectContaining({ readOnlyHint: true })],
    ]);
  });

  test("answers a call with the id of the message", async () => {
    const { upstream, service } = await start(made);
    const reply = await create(upstream, '{"name":"Ann"}');
    expect(bodyOf(reply)).toBe(
      '{"jsonrpc":"2.0","id":"call-1","result":{"resultType":"complete","content":[{"type":"text","text":"{\\"id\\":1}"}],"structuredContent":{"id":1}}}',
    );
    expect(service.hits[0]?.body.toString()).toBe('{"name":"Ann"}');
  });

  test("answers with the fault of the bridge", async () => {
    const { upstream } = await start((_, response) => answerJson(response, 404, { detail: "No client 7." }));
    const reply = await send(upstream, "tools/call", '{"name":"getClient","arguments":{"id":"7"}}', "getClient");
    expect(faultOf(reply)).toMatchObject({
      kind: "not_found",
      effect: "none",
      quote: { text: "No client 7.", from: "upstream" },
      origin: { layer: "upstream", name: "crm" },
    });
    expect(reply.kind === "failed" && reply.cause).toMatchObject({ name: "UpstreamReply", status: 404 });
  });

  test("does not offer other methods", async () => {
    const { upstream } = await start(made);
    expect(faultOf(await send(upstream, "prompts/get", "{}", "x"))).toMatchObject({
      reason: "protocol/method_not_found",
      params: { method: "prompts/get" },
    });
  });

  test("a refused credential is not the problem of the caller", async () => {
    const { upstream } = await start(
      (_, response) => answerJson(response, 401, { detail: "Bad key crm-token-12345" }),
      {
        credential: { kind: "bearer", token: "crm-token-12345" },
        foreignText: "quote",
      },
    );
    const fault = faultOf(await create(upstream, '{"name":"Ann"}'));
    expect(fault).toMatchObject({ reason: "rest/upstream_auth", kind: "unavailable", effect: "none" });
    expect(JSON.stringify(fault)).not.toContain("crm-token");
  });
});

describe("credentials", () => {
  test.each([
    [{ kind: "bearer", token: "crm-token-12345" } as const, { authorization: "Bearer crm-token-12345" }],
    [{ kind: "header", name: "X-Api-Key", value: "k-9876543" } as const, { "x-api-key": "k-9876543" }],
    [
      { kind: "header", name: "Authorization", value: "Token abc-123-def" } as const,
      { authorization: "Token abc-123-def" },
    ],
  ])("%o", async (credential, sent) => {
    const { upstream, service } = await start(made, { credential });
    await create(upstream, '{"name":"Ann"}');
    expect(service.hits[0]?.headers).toMatchObject(sent);
  });

  test("keys are sent where the API honours them, and differ between callers", async () => {
    const { upstream, service } = await start(made, { honoursKeys: true });
    await create(upstream, '{"name":"Ann"}', ',"_meta":{"recourse/call":{"id":"a","attempt":1,"key":"k-1"}}');
    const key = service.hits[0]?.headers["idempotency-key"];
    expect(key).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("numbers that a parser would change", () => {
  test.each(["12345678901234567890", "1e400", "-1e-400", "0.12345678901234567890"])("%s is refused", async (score) => {
    const { upstream, service } = await start(made);
    const fault = faultOf(await create(upstream, `{"name":"Ann","score":${score}}`));
    expect(fault).toMatchObject({
      reason: "tool/invalid_arguments",
      effect: "none",
      issues: [{ pointer: "/score", rule: "range" }],
    });
    expect(service.hits).toEqual([]);
  });

  test.each(["9007199254740991", "1e22", "0.1", "1.50"])("%s is sent", async (score) => {
    const { upstream, service } = await start(made);
    await create(upstream, `{"name":"Ann","score":${score}}`);
    expect(JSON.parse(service.hits[0]?.body.toString() ?? "")).toEqual({ name: "Ann", score: Number(score) });
  });

  test("they do not matter beside the arguments", async () => {
    const { upstream } = await start(made);
    const reply = await create(upstream, '{"name":"Ann"}', ',"_meta":{"progressToken":12345678901234567890}');
    expect(reply.kind).toBe("answer");
  });
});

describe("a document that cannot be used", () => {
  test("is a fault and a line for the operator, and is read again later", async () => {
    let now = 0;
    const lines: unknown[] = [];
    const document = join(folder, "late.json");
    const parts: RestUpstreamParts = { clock: () => now, observer: { log: (...line) => void lines.push(line) } };
    const service = await startUpstream(made);
    const upstream = createRestUpstream(configFor(document, { server: service.url }), parts);
    open.push(upstream, service);
    const refused = { reason: "core/misconfigured", effect: "none", origin: { layer: "upstream", name: "crm" } };
    await expect(upstream.ready(signal)).resolves.toMatchObject(refused);
    expect(lines).toEqual([
      [
        "error",
        "the API of the upstream crm cannot be used",
        { document, why: expect.stringContaining("could not be read") },
      ],
    ]);
    writeFileSync(document, JSON.stringify(DOCUMENT));
    expect(upstream.ready(signal)).toMatchObject(refused);
    expect(faultOf(await create(upstream, '{"name":"Ann"}'))).toMatchObject(refused);
    now = 5_000;
    await expect(upstream.ready(signal)).resolves.toBe("2026-07-28");
    expect((await create(upstream, '{"name":"Ann"}')).kind).toBe("answer");
    expect(lines).toHaveLength(1);
  });

  test("the log does not show a password in the address of the document", async () => {
    const lines: unknown[] = [];
    const log = (...line: unknown[]) => void lines.push(line);
    const upstream = createRestUpstream(configFor("http://user:pass-of-crm@127.0.0.1:1/crm.json"), {
      observer: { log },
    });
    open.push(upstream);
    await upstream.ready(signal);
    expect(JSON.stringify(lines)).toContain("http://127.0.0.1:1/crm.json");
    expect(JSON.stringify(lines)).not.toContain("pass-of-crm");
  });

  test("private addresses can be refused", async () => {
    const { upstream, service } = await start(made, { allowPrivate: false });
    expect(faultOf(await create(upstream, '{"name":"Ann"}'))).toMatchObject({ effect: "none" });
    expect(service.hits).toHaveLength(0);
  });

  test("a caller that leaves does not wait for it", async () => {
    const { upstream } = await start(made);
    await expect(upstream.ready(AbortSignal.abort())).resolves.toMatchObject({ kind: "cancelled", effect: "none" });
  });
});

test.each([
  ["0", "-0", "1.10", "1e2", "1E+05", "0.1", "123456789012345", "9007199254740991"],
  ["1e22", "10000000000000000000000", "9007199254740992", "1.7976931348623157e308", "5e-324", "0.30000000000000004"],
  ["0.00000000000000000000", "00".slice(1), "1.000000000000000000000", "0e999", "100000000000000000000000e-23"],
])("keeps numbers that a parser keeps: %s", (...numbers) => {
  for (const number of numbers) expect(parseExactly(`{"n":${number}}`).changed, number).toEqual([]);
});

test.each([
  "12345678901234567890",
  "-9007199254740993",
  "1e400",
  "-1e400",
  "1e-400",
  "0.1000000000000000055511151231257827",
  "3.14159265358979323846",
  "123456789.123456789123",
])("finds %s", (number) => {
  expect(parseExactly(`{"n":${number}}`).changed).toEqual(["/n"]);
});

test("names the place of each number, and leaves strings alone", () => {
  const text = '{"a":[1,{"b/c":1e999}],"id":"12345678901234567890","d":12345678901234567890,"e":7}';
  const { value, changed } = parseExactly(text);
  expect(changed).toEqual(["/a/1/b~1c", "/d"]);
  expect(value).toEqual(JSON.parse(text));
});
