import { describe, expect, it } from "vitest";
import { toSentFault } from "../../fault/amend.ts";
import { createSecretFilter, fail, KINDS, type Kind } from "../../index.ts";
import { auth, core, protocol, rest, tool } from "../../reasons/index.ts";
import { platica } from "./dialect.ts";

const failed = (body: object) => ({
  result: { isError: true, content: [{ type: "text", text: JSON.stringify(body) }], structuredContent: body },
});

describe("a missing workspace", () => {
  it("is recognised by the fixed sentence", () => {
    const fault = platica.decode(failed({ code: 400, error: "Must specify a valid workspace: a, b" }));
    expect(fault).toMatchObject({
      reason: "rest/workspace_missing",
      issues: [{ pointer: "/workspace", rule: "required" }],
      recourse: [{ do: "fix_input", fields: ["/workspace"] }],
    });
    expect(platica.decode(failed({ code: 422, error: "Must specify a valid workspace" }))?.reason).toBe(
      "rest/wrong_state",
    );
  });

  it("is written with the fixed sentence", () => {
    expect(platica.encode(rest.workspace_missing().fault)).toMatchObject({
      result: {
        structuredContent: {
          code: 400,
          error: "Must specify a valid workspace",
          errors: [{ path: ["workspace"], code: "invalid_type" }],
        },
      },
    });
  });
});

describe("the body", () => {
  it("is the text, and is parsed in structuredContent", () => {
    const { result } = platica.encode(core.not_found({ what: "client 7" }).fault) as {
      result: Record<string, unknown>;
    };
    const body = { code: 404, error: 'Not found: "client 7".' };
    expect(result).toEqual(failed(body).result);
  });

  it("is read from the text without structuredContent, and details with letters are part of the quote", () => {
    const text = '{"code":422,"error":"Wrong state","details":"No workspace"}';
    const wire = { result: { isError: true, content: [{ type: "text", text }] } };
    expect(platica.decode(wire)?.quote?.text).toBe("Wrong state. No workspace");
    expect(platica.decode(failed({ code: 422, error: "Wrong state", details: { a: 1 } }))?.quote?.text).toBe(
      "Wrong state",
    );
  });

  it("alone is a failure only with the members of Platica", () => {
    expect(platica.decode({ code: 404, error: "Client not found" })?.kind).toBe("not_found");
    expect(platica.decode({ code: 404 })).toBeUndefined();
    expect(platica.decode({ status: 404, headers: {}, body: "not here" })).toBeUndefined();
    expect(platica.decode({ result: { code: 404, error: "in a success" } })).toBeUndefined();
  });

  it("may have a wait in a header", () => {
    const reply = (headers: object) =>
      platica.decode({ status: 503, headers, body: { code: 503, error: "Down" } })?.retry?.afterMs;
    expect(reply({ "retry-after": "30" })).toBe(30_000);
    expect(reply({ "Retry-After": "1" })).toBe(1_000);
    expect(reply({ "retry-after": "Fri, 31 Dec 2027 23:59:59 GMT" })).toBeUndefined();
  });

  it("carries `retryable` where it differs from the status", () => {
    const retryableIn = (fault: Parameters<typeof platica.encode>[0]) => {
      const wire = platica.encode(fault);
      return "result" in wire ? wire.result.structuredContent?.["retryable"] : wire.error.data?.["retryable"];
    };
    expect(retryableIn(core.rate_limited({}, { retry: { allowed: true } }).fault)).toBeUndefined();
    expect(retryableIn(core.rate_limited({}, { retry: { allowed: false } }).fault)).toBe(false);
    expect(retryableIn(core.quota_exhausted().fault)).toBe(false);
    expect(retryableIn(core.conflict({}, { retry: { allowed: true } }).fault)).toBe(true);
    expect(retryableIn(core.internal({}, { retry: { allowed: false } }).fault)).toBe(false);
  });
});

describe("arguments that the schema refuses", () => {
  const issues = [
    { pointer: "/name", rule: "required" },
    { pointer: "/items/0/sku", rule: "type", expected: "string" },
  ] as const;

  it("are lines of text and a list of issues", () => {
    expect(platica.encode(core.validation_failed({}, { issues }).fault)).toEqual({
      result: {
        isError: true,
        content: [{ type: "text", text: "name: Required\nitems.0.sku: Invalid type: expected string." }],
        structuredContent: {
          issues: [
            { path: ["name"], message: "Required", code: "invalid_type" },
            {
              path: ["items", 0, "sku"],
              message: "Invalid type: expected string.",
              code: "invalid_type",
              expected: "string",
            },
          ],
        },
      },
    });
  });

  it("come back with their rules", () => {
    const fault = platica.decode(platica.encode(tool.invalid_arguments({}, { issues }).fault));
    expect(fault).toMatchObject({ reason: "tool/invalid_arguments", kind: "invalid_input", issues });
    expect(fault?.quote?.text).toBe("name: Required; items.0.sku: Invalid type: expected string.");
  });

  it("are status 400 where the REST API reported them, or no issue is known", () => {
    expect(platica.encode(rest.invalid_arguments({}, { issues }).fault)).toMatchObject({
      result: { structuredContent: { code: 400, errors: [{ path: ["name"] }, { path: ["items", 0, "sku"] }] } },
    });
    expect(platica.encode(core.validation_failed().fault)).toMatchObject({
      result: { structuredContent: { code: 400 } },
    });
  });
});

describe("JSON-RPC errors", () => {
  it("are for requests that cannot be served", () => {
    expect(platica.encode(auth.header_invalid().fault)).toEqual({
      error: { code: -32001, message: "Unauthorized: missing or invalid Authorization header." },
    });
    expect(platica.encode(protocol.http_method().fault)).toMatchObject({ error: { code: -32000 } });
    expect(platica.encode(protocol.parse_error().fault)).toMatchObject({ error: { code: -32602 } });
    expect(platica.encode(core.internal().fault)).toMatchObject({ error: { code: -32603 } });
    // No tool ran, and no status of the API says so.
    expect(platica.encode(tool.not_found({ tool: "nope" }).fault)).toMatchObject({ error: { code: -32602 } });
    expect(platica.encode(tool.execution_failed().fault)).toMatchObject({
      result: { structuredContent: { code: 500 } },
    });
  });

  it("are not written for what a service behind the tool reported", () => {
    const origin = { layer: "upstream" } as const;
    const statusOf = (fault: Parameters<typeof platica.encode>[0]) => {
      const wire = platica.encode(fault, { method: "tools/call" });
      return "result" in wire ? wire.result.structuredContent?.["code"] : wire.error.code;
    };
    expect(statusOf(rest.key_missing().fault)).toBe(400);
    expect(statusOf(protocol.bad_request({}, { origin }).fault)).toBe(400);
    expect(statusOf(protocol.malformed_call({}, { origin }).fault)).toBe(400);
    expect(statusOf(protocol.http_method({}, { origin }).fault)).toBe(501);
    expect(statusOf(auth.header_invalid({}, { origin }).fault)).toBe(401);
    expect(statusOf(core.internal({}, { origin }).fault)).toBe(500);
  });

  it("with other codes are undefined", () => {
    expect(platica.decode({ jsonrpc: "2.0", error: { code: -32002, message: "m" } })).toBeUndefined();
  });

  it("carry an effect in the data", () => {
    const fault = auth.header_invalid({}, { effect: "possible" }).fault;
    expect(platica.encode(fault)).toMatchObject({ error: { data: { effect: "possible" } } });
    expect(platica.decode(platica.encode(fault))?.effect).toBe("possible");
  });
});

describe("a body to relay", () => {
  const fault = core.not_found({}, { effect: "possible" }).fault;

  it("is relayed only where the context has it", () => {
    const raw = '{"code":404,"error":"Client not found","details":"No client c1"}';
    expect(platica.encode(fault, { raw })).toEqual({
      result: {
        isError: true,
        content: [{ type: "text", text: raw }],
        structuredContent: { code: 404, error: "Client not found", details: "No client c1" },
        _meta: { "recourse/fault": toSentFault(fault) },
      },
    });
    expect(JSON.stringify(platica.encode(fault))).not.toContain("Client");
  });

  it.each(Object.keys(KINDS) as Kind[])("is parsed without a change for a fault of the kind %s", (kind) => {
    const { fault } = kind === "unknown" ? core.unrecognised() : fail[kind]`It failed.`;
    for (const body of [{ code: 1, error: "Odd" }, { error: { code: "E7" } }, { code: "404" }, {}])
      expect(platica.encode(fault, { raw: JSON.stringify(body) })).toEqual({
        result: {
          isError: true,
          content: [{ type: "text", text: JSON.stringify(body) }],
          structuredContent: body,
          _meta: { "recourse/fault": toSentFault(fault) },
        },
      });
  });

  it.each(["<html>", "Bad gateway", "[1]", '"text"', "7", '{"code":'])(
    "has no data where it is no JSON object: %s",
    (raw) => {
      expect(platica.encode(fault, { raw })).toEqual({
        result: {
          isError: true,
          content: [{ type: "text", text: raw }],
          _meta: { "recourse/fault": toSentFault(fault) },
        },
      });
    },
  );

  it("comes back as the fault beside it", () => {
    const again = platica.decode(platica.encode(fault, { raw: "<html>" }));
    expect(again).toMatchObject({ reason: "core/not_found", kind: "not_found", effect: "possible" });
  });

  it("contains no known secret", () => {
    const secret = "pl_key_0123456789abcdef";
    const secrets = createSecretFilter([secret]);
    const json = JSON.stringify(platica.encode(fault, { raw: `{"error":"${secret} is off","code":404}`, secrets }));
    expect(json).not.toContain(secret);
    expect(json).toContain('"error":null');
    expect(JSON.stringify(platica.encode(fault, { raw: `${secret} is off`, secrets }))).not.toContain(secret);
  });

  it("has the issues where the REST API refused the arguments", () => {
    const refused = core.validation_failed({}, { issues: [{ pointer: "/a", rule: "type" }] }).fault;
    expect(platica.encode(refused, { raw: '{"error":"No"}' })).toMatchObject({
      result: { structuredContent: { error: "No" }, _meta: { "recourse/fault": { issues: [{ pointer: "/a" }] } } },
    });
  });
});
