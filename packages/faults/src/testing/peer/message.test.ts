import { describe, expect, test } from "vitest";
import { FaultError } from "../../fault/error.ts";
import { errorReply, readMessage } from "./message.ts";

function refusal(body: unknown): unknown {
  try {
    return readMessage(body);
  } catch (thrown) {
    return FaultError.is(thrown) ? [thrown.fault.reason, thrown.fault.quote?.text] : thrown;
  }
}

describe("a message", () => {
  test("with an id is a request, without one a notification", () => {
    const params = { _meta: { a: 1 } };
    expect(readMessage({ jsonrpc: "2.0", id: 0, method: "ping", params })).toEqual({
      is: "ask",
      ask: { id: 0, method: "ping", params, meta: { a: 1 } },
    });
    expect(readMessage({ jsonrpc: "2.0", method: "ping" })).toEqual({
      is: "ask",
      ask: { id: undefined, method: "ping", params: {}, meta: {} },
    });
  });

  test.each([{ result: {} }, { error: { code: 1, message: "no" } }])("with %j is an answer", (rest) => {
    const message = { jsonrpc: "2.0", id: "q", ...rest };
    expect(readMessage(message)).toEqual({ is: "answer", id: "q", message });
  });

  test.each([
    [7, "Not a JSON-RPC message: an object is required"],
    [[], "Not a JSON-RPC message: an object is required"],
    [{ id: 1, method: "ping" }, "Missing required field: jsonrpc"],
    [{ jsonrpc: "2.0", id: 1 }, "Missing required field: method"],
    [{ jsonrpc: "2.0", id: 1.5, method: "ping" }, "Invalid field: id"],
    [{ jsonrpc: "2.0", id: null, method: "ping" }, "Invalid field: id"],
  ])("%j is none", (body, text) => {
    expect(refusal(body)).toEqual(["protocol/invalid_request", text]);
  });
});

test("an error without a known request has no id", () => {
  expect(errorReply(undefined, { code: 1 })).toEqual({ jsonrpc: "2.0", error: { code: 1 } });
  expect(errorReply(0, { code: 1 })).toEqual({ jsonrpc: "2.0", id: 0, error: { code: 1 } });
});
