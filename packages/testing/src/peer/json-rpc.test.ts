import { FaultError } from "@recourse/core";
import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorResponse, parseBytes, parseClientMessage } from "./json-rpc.ts";

function faultThrownBy(run: () => unknown) {
  try {
    return run();
  } catch (thrown) {
    if (!FaultError.is(thrown)) return thrown;
    const { reason, quote, params } = thrown.fault;
    return [reason, quote?.text ?? params?.["position"]];
  }
}

describe("a message", () => {
  test("with an id is a request, without one a notification", () => {
    const params = { _meta: { a: 1 } };
    const request = { id: 0, method: "ping", params, meta: { a: 1 } };
    expect(parseClientMessage({ jsonrpc: "2.0", id: 0, method: "ping", params })).toEqual(request);
    const notification = { id: undefined, method: "ping", params: {}, meta: {} };
    expect(parseClientMessage({ jsonrpc: "2.0", method: "ping" })).toEqual(notification);
  });

  test.each([
    [7, "Not a JSON-RPC message: an object is required"],
    [[], "Not a JSON-RPC message: an object is required"],
    [{ id: 1, method: "ping" }, "Missing required field: jsonrpc"],
    [{ jsonrpc: "2.0", id: 1, result: {} }, "Missing required field: method"],
    [{ jsonrpc: "2.0", id: 1.5, method: "ping" }, "Invalid field: id"],
    [{ jsonrpc: "2.0", id: null, method: "ping" }, "Invalid field: id"],
  ])("is refused when it is %j", (body, text) => {
    expect(faultThrownBy(() => parseClientMessage(body))).toEqual(["protocol/invalid_request", text]);
  });
});

test("an error for an unknown request has no id", () => {
  expect(errorResponse(undefined, { code: 1 })).toEqual({ jsonrpc: "2.0", error: { code: 1 } });
  expect(errorResponse(0, { code: 1 })).toEqual({ jsonrpc: "2.0", id: 0, error: { code: 1 } });
});

describe("the bytes of a message", () => {
  test.each([
    ["a stray byte", Buffer.from([0x22, 0x61, 0xff, 0x22]), 2],
    ["a truncated character", Buffer.from([0x22, 0xe2, 0x82, 0x22]), 1],
    ["an overlong form", Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 1],
    ["a lone surrogate", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 1],
  ])("are not UTF-8 with %s", (_, bytes, position) => {
    expect(faultThrownBy(() => parseBytes(bytes))).toEqual(["content/invalid_encoding", position]);
  });

  test("may contain the replacement character itself", () => {
    expect(parseBytes(Buffer.from('"\u{FFFD}"'))).toBe("\u{FFFD}");
  });

  test("are a parse error when they are UTF-8 but not JSON", () => {
    expect(faultThrownBy(() => parseBytes(Buffer.from('{"a":')))).toEqual(["protocol/parse_error", undefined]);
  });

  test("are parsed for every JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseBytes(Buffer.from(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: runs(200) },
    );
  });
});
