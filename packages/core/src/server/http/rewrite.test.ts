import { createMcpHandler } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import {
  call,
  fixed,
  guarded,
  ID,
  incidents,
  META,
  post,
  read,
  SECRET,
  server,
} from "../../../test/peers/server/guarded-handler.ts";
import { stampFault, toSentFault } from "../../fault/amend.ts";
import { fail } from "../../reasons/fail.ts";
import { internal, rate_limited } from "../../reasons/library/core.ts";
import { guardHandler } from "./guard-handler.ts";
import type { HandlerOptions } from "./options.ts";

describe("errors of the SDK's own", () => {
  const cases = [
    ["no request", [1, 2], {}, 400, -32600, "protocol/invalid_request", undefined],
    ["a wrong version", call(), { "mcp-protocol-version": "2025-11-25" }, 400, -32020, "protocol/header_mismatch", 7],
    ["a missing header", call(), { "mcp-method": "tools/list" }, 400, -32020, "protocol/header_mismatch", 7],
    [
      "an unknown version",
      {
        ...call(),
        params: { ...call().params, _meta: { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" } },
      },
      { "mcp-protocol-version": "2099-01-01" },
      400,
      -32022,
      "protocol/version_unsupported",
      7,
    ],
    [
      "no envelope",
      { ...call(), params: { name: "echo", arguments: {} } },
      {},
      400,
      -32602,
      "protocol/invalid_params",
      7,
    ],
    [
      "an unknown method",
      { ...call(), method: "no/such", params: { _meta: META } },
      { "mcp-method": "no/such" },
      404,
      -32601,
      "protocol/method_not_found",
      7,
    ],
  ] as const;
  it.each(cases)("%s is said anew with its code", async (_, message, headers, status, code, reason, id) => {
    const bare = await read(await createMcpHandler(server).fetch(post(message, headers)));
    const { body, ...seen } = await read(await guarded().fetch(post(message, headers)));
    expect([bare.status, bare.body.error?.code]).toEqual([status, code]);
    expect([seen.status, body.error?.code, seen.reason, body.id]).toEqual([status, code, reason, id]);
    expect(body.error?.message).not.toBe(bare.body.error?.message);
  });

  it("still tells what a client needs to know", async () => {
    const [, , , version, envelope, method] = await Promise.all(
      cases.map(async ([, message, headers]) => (await read(await guarded().fetch(post(message, headers)))).body.error),
    );
    expect(version?.data).toMatchObject({ supported: ["2026-07-28"], requested: "2099-01-01" });
    expect(envelope?.data["recourse/fault"]).toMatchObject({
      issues: [
        { pointer: "/_meta", rule: "required", expected: "io.modelcontextprotocol/protocolVersion: string" },
        { pointer: "/_meta", rule: "required", expected: "io.modelcontextprotocol/clientCapabilities: object" },
      ],
    });
    expect(method?.message).toBe('This server does not offer the method "no/such".');
    const mismatch = await read(await guarded().fetch(post(call(), { "mcp-method": "tools/list" })));
    expect(mismatch.body.error?.data["recourse/fault"]).toMatchObject({
      issues: [{ pointer: "", rule: "custom", expected: "header Mcp-Method as in the message" }],
    });
  });

  it("a missing Accept of an older client keeps its status and loses its text", async () => {
    const request = new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/html" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 3, method: "tools/list" }),
    });
    const { status, body, reason } = await read(await guarded().fetch(request));
    expect([status, body.error?.code, reason, body.id]).toEqual([406, -32600, "protocol/bad_request", 3]);
  });

  it("a factory that fails is an incident, and says nothing", async () => {
    incidents.length = 0;
    const failing = guarded({}, () => {
      throw new Error(SECRET);
    });
    const { status, body, reason } = await read(await failing.fetch(post()));
    expect([status, body.error?.code, reason, body.id]).toEqual([500, -32603, "core/internal", 7]);
    expect(body.error?.data["recourse/fault"]).toMatchObject({ incident: ID, at: "2026-01-02T03:04:05.000Z" });
    expect(incidents).toHaveLength(1);
    expect(incidents[0]).toMatchObject({ method: "tools/call", tool: "echo", code: -32603, durationMs: 0 });
    expect(incidents[0]?.cause).toContain("HTTP 500: ");
    expect(incidents[0]?.fault.incident).toBe(ID);
  });
});

describe("whatever a handler throws or answers", () => {
  const bare = (answer: () => Response | Promise<Response>, options: HandlerOptions = {}) =>
    guardHandler(async (_: Request) => answer(), { ...fixed, ...options })(post());
  const thrower = (thrown: unknown) => (): never => {
    throw thrown;
  };

  it("masks a foreign throw and keeps it for the operator", async () => {
    incidents.length = 0;
    const thrown = new Error(SECRET);
    const response = await bare(thrower(thrown));
    const text = await response.clone().text();
    const { status, body, reason } = await read(response);
    expect([status, body.error?.code, reason, body.id]).toEqual([500, -32603, "core/internal", 7]);
    expect(text).not.toContain("hunter2");
    expect(incidents[0]?.cause).toBe(thrown);
  });

  it("gives a stated fault its status and headers", async () => {
    incidents.length = 0;
    const limits = [{ policy: "burst", quota: 10, remaining: 0, windowMs: 60_000, resetMs: 30_000 }];
    const response = await bare(thrower(rate_limited({}, { retry: { allowed: true, afterMs: 1_500 }, limits })));
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("2");
    expect(response.headers.get("ratelimit-policy")).toBe('"burst";q=10;w=60');
    expect(response.headers.get("ratelimit")).toBe('"burst";r=0;t=30');
    expect(incidents).toHaveLength(0);
  });

  it.each([
    [400, "text/plain", "Invalid JSON: unexpected x", "protocol/bad_request"],
    [404, "text/plain", "Not here", "core/not_found"],
    [
      404,
      "application/json",
      '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}',
      "protocol/session_not_found",
    ],
    [
      403,
      "application/json",
      '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Invalid Host: evil"},"id":null}',
      "auth/access_denied",
    ],
    [
      409,
      "application/json",
      '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Conflict: one stream"},"id":null}',
      "core/conflict",
    ],
    [418, "text/html", "<h1>teapot</h1>", "protocol/bad_request"],
    [500, "text/html", `<h1>${SECRET}</h1>`, "core/internal"],
    [502, "application/json", `{"error":"${SECRET}"}`, "core/internal"],
  ])("says a %i of %s anew", async (status, type, text, reason) => {
    const headers = { "content-type": type, "x-detail": text, "access-control-allow-origin": "*" };
    const response = await bare(() => new Response(text, { status, headers }));
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.has("x-detail")).toBe(false);
    const seen = await read(response);
    expect([seen.status, seen.reason, seen.body.id]).toEqual([status, reason, 7]);
    expect(JSON.stringify(seen.body)).not.toMatch(/hunter2|teapot|evil|unexpected x|Not here|one stream/);
  });

  it("keeps what a handler says about waiting", async () => {
    const response = await bare(() => new Response("slow down", { status: 429, headers: { "retry-after": "30" } }));
    expect(response.headers.get("retry-after")).toBe("30");
    const { body, reason } = await read(response);
    expect(reason).toBe("core/rate_limited");
    expect(body.error?.data["recourse/fault"]).toMatchObject({
      retry: { afterMs: 30_000 },
      basis: "stated",
      origin: { layer: "server" },
    });
  });

  it("passes a fault of the inside on as it is, without a second incident", async () => {
    incidents.length = 0;
    const inner = stampFault(internal.fault(), {
      incident: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
      at: "2025-01-01T00:00:00.000Z",
      origin: { layer: "upstream", name: "db" },
    });
    const error = { code: -32603, message: SECRET, data: { "recourse/fault": inner } };
    const answer = () => Response.json({ jsonrpc: "2.0", id: 7, error }, { status: 500 });
    const { body } = await read(await bare(answer, { name: "shop", speaksFaults: true }));
    expect(body.error).toEqual({
      code: -32603,
      message: inner.message,
      data: { "recourse/fault": toSentFault(inner) },
    });
    expect(incidents).toHaveLength(0);
  });

  it("believes kind and wait of a fault that another program may have sent, and nothing else", async () => {
    incidents.length = 0;
    const foreign = {
      ...fail.rate_limited({ retry: { allowed: true, afterMs: 2_000 } })`x`.fault,
      message: SECRET,
      params: { secret: SECRET },
      recourse: [{ do: "ask_user", link: "https://evil.example/approve" }],
      tried: { attempts: 9, elapsedMs: 1, stopped: "budget" },
      incident: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    };
    const error = { code: -32603, message: SECRET, data: { "recourse/fault": foreign } };
    const { body } = await read(await bare(() => Response.json({ jsonrpc: "2.0", id: 7, error }, { status: 500 })));
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`${SECRET}|evil|attempts|01ARZ3NDEK`));
    const stated = body.error?.data["recourse/fault"];
    expect(stated).toMatchObject({ kind: "rate_limited", effect: "possible", retry: { afterMs: 2_000 } });
    expect(incidents).toHaveLength(1);
  });

  it("leaves an answer to a client that is gone alone", async () => {
    expect((await bare(() => new Response(null, { status: 499 }))).status).toBe(499);
  });

  it("withholds the caller's own credentials, also where a fault was stated", async () => {
    const thrown = fail.conflict`Taken by ${"open-sesame-token"}.`;
    const inner = (_: Request): Promise<Response> => Promise.reject(thrown);
    const response = await guardHandler(inner, fixed)(post(call(), { authorization: "Bearer open-sesame-token" }));
    expect(response.status).toBe(409);
    expect((await read(response)).body.error?.message).toBe("The call conflicts with the current state.");
  });

  it("survives a body that breaks", async () => {
    const broken = () => new ReadableStream({ pull: () => Promise.reject(new Error(SECRET)) });
    expect((await read(await bare(() => new Response(broken(), { status: 400 })))).reason).toBe("protocol/bad_request");
    const request = post(undefined, {}, { body: broken(), duplex: "half" } as RequestInit);
    const { status, reason } = await read(await guarded().fetch(request));
    expect([status, reason]).toEqual([400, "protocol/bad_request"]);
  });

  it("never throws, whatever its options do", async () => {
    const throws = () => {
      throw new Error("no");
    };
    const response = await bare(thrower(new Error("x")), { sink: throws, testing: { createId: throws } });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { code: -32603 } });
  });
});
