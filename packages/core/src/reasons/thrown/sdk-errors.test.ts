import * as client from "@modelcontextprotocol/client";
import { UnauthorizedError as OldUnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { SseError as OldSseError } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError, UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js";
import * as server from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { sdkReason } from "./sdk-errors.ts";
import { toFault } from "./to-fault.ts";

const reasonOf = (value: unknown) => sdkReason(value)?.id;
const BRANDS = Symbol.for("mcp.sdk.errorBrands");

const PROTOCOL: readonly (readonly [number, string])[] = [
  [-32700, "protocol/parse_error"],
  [-32600, "protocol/invalid_request"],
  [-32601, "protocol/method_not_found"],
  [-32602, "protocol/invalid_params"],
  [-32603, "core/internal"],
  [-32002, "resource/not_found"],
  [-32020, "protocol/header_mismatch"],
  [-32021, "protocol/missing_client_capability"],
  [-32022, "protocol/version_unsupported"],
  [-32042, "elicitation/url_required"],
  [-32023, "core/internal"],
  [0, "core/internal"],
  [1045, "core/internal"],
];

const LOCAL: Readonly<Record<string, string>> = {
  NOT_CONNECTED: "transport/not_connected",
  ALREADY_CONNECTED: "core/internal",
  NOT_INITIALIZED: "protocol/not_initialized",
  CAPABILITY_NOT_SUPPORTED: "protocol/capability_not_supported",
  REQUEST_TIMEOUT: "core/cancelled",
  CONNECTION_CLOSED: "transport/connection_lost",
  SEND_FAILED: "transport/failed",
  INVALID_RESULT: "protocol/invalid_result",
  UNSUPPORTED_RESULT_TYPE: "protocol/invalid_result",
  INPUT_REQUIRED_ROUNDS_EXCEEDED: "protocol/rounds_exceeded",
  LIST_PAGINATION_EXCEEDED: "protocol/invalid_result",
  METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION: "protocol/method_not_found",
  ERA_NEGOTIATION_FAILED: "protocol/negotiation_failed",
  CLIENT_HTTP_NOT_IMPLEMENTED: "core/internal",
  CLIENT_HTTP_AUTHENTICATION: "core/internal",
  CLIENT_HTTP_FORBIDDEN: "core/internal",
  CLIENT_HTTP_UNEXPECTED_CONTENT: "core/internal",
  CLIENT_HTTP_FAILED_TO_OPEN_STREAM: "core/internal",
  CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION: "core/internal",
};

const STATUS: readonly (readonly [number, string])[] = [
  [0, "core/upstream_failed"],
  [400, "core/upstream_failed"],
  [401, "core/misconfigured"],
  [402, "core/upstream_failed"],
  [403, "core/misconfigured"],
  [404, "core/upstream_failed"],
  [408, "core/timeout"],
  [429, "core/rate_limited"],
  [500, "core/upstream_failed"],
  [502, "core/upstream_failed"],
  [503, "core/unavailable"],
  [504, "core/timeout"],
];

describe.each([
  ["client", client],
  ["server", server],
] as const)("version 2, %s package", (_, sdk) => {
  it.each(PROTOCOL)("ProtocolError %d is %s", (code, reason) => {
    expect(reasonOf(new sdk.ProtocolError(code, "private"))).toBe(reason);
  });

  it("ProtocolError has a row for every code of the SDK", () => {
    const codes = Object.values(sdk.ProtocolErrorCode).filter((code) => typeof code === "number");
    expect(PROTOCOL.map(([code]) => code)).toEqual(expect.arrayContaining(codes));
  });

  it("knows the subclasses of ProtocolError", () => {
    expect(reasonOf(new sdk.ResourceNotFoundError("res://private"))).toBe("resource/not_found");
    expect(reasonOf(new sdk.MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } }))).toBe(
      "protocol/missing_client_capability",
    );
    expect(reasonOf(new sdk.UnsupportedProtocolVersionError({ supported: [], requested: "private" }))).toBe(
      "protocol/version_unsupported",
    );
    expect(reasonOf(new sdk.UrlElicitationRequiredError([]))).toBe("elicitation/url_required");
  });

  it.each(Object.values(sdk.SdkErrorCode))("SdkError %s has its row", (code) => {
    expect(reasonOf(new sdk.SdkError(code, "private"))).toBe(LOCAL[code]);
  });

  it("has no row for a code that the SDK does not have", () => {
    expect(Object.values(sdk.SdkErrorCode).toSorted()).toEqual(Object.keys(LOCAL).toSorted());
  });

  it("distinguishes a timeout, which carries its limit, from an abort", () => {
    const code = sdk.SdkErrorCode.RequestTimeout;
    expect(reasonOf(new sdk.SdkError(code, "private", { timeout: 60_000 }))).toBe("core/timeout");
    expect(reasonOf(new sdk.SdkError(code, "private", { timeout: "60000" }))).toBe("core/cancelled");
    expect(reasonOf(new sdk.SdkError(code, "private"))).toBe("core/cancelled");
  });

  it.each(STATUS)("SdkHttpError with status %d is %s", (status, reason) => {
    const error = new sdk.SdkHttpError(sdk.SdkErrorCode.ClientHttpNotImplemented, "private", { status });
    expect(reasonOf(error)).toBe(reason);
  });

  it("recognises errors by their brands, even with another name", () => {
    const renamed = Object.assign(new sdk.ProtocolError(-32700, "private"), { name: "Renamed" });
    expect(reasonOf(renamed)).toBe("protocol/parse_error");
    const local = Object.assign(new sdk.SdkError(sdk.SdkErrorCode.NotConnected, "private"), { name: "Renamed" });
    expect(reasonOf(local)).toBe("transport/not_connected");
  });
});

it("version 2: what only the client package throws", () => {
  expect(reasonOf(new client.UnauthorizedError("private"))).toBe("core/misconfigured");
  expect(reasonOf(new client.SseError(429, "private", {} as never))).toBe("core/rate_limited");
  expect(reasonOf(new client.SseError(undefined, "private", {} as never))).toBe("core/upstream_failed");
});

describe("version 1", () => {
  it.each([...PROTOCOL, [-32000, "transport/failed"], [-32001, "core/timeout"], [-32003, "core/internal"]] as const)(
    "McpError %d is %s",
    (code, reason) => {
      expect(reasonOf(new McpError(code, "private"))).toBe(reason);
    },
  );

  it("has a row for every code of the SDK", () => {
    const known = [...PROTOCOL.map(([code]) => code), -32000, -32001];
    const codes = Object.values(ErrorCode).filter((code) => typeof code === "number");
    expect(known).toEqual(expect.arrayContaining(codes));
  });

  it("knows the subclass of McpError", () => {
    expect(reasonOf(new UrlElicitationRequiredError([]))).toBe("elicitation/url_required");
  });

  it.each(STATUS)("StreamableHTTPError and SseError with status %d are %s", (status, reason) => {
    expect(reasonOf(new StreamableHTTPError(status, "private"))).toBe(reason);
    expect(reasonOf(new OldSseError(status, "private", {} as never))).toBe(reason);
  });

  it("reads a failure without a status as one of the server", () => {
    expect(reasonOf(new StreamableHTTPError(undefined, "private"))).toBe("core/upstream_failed");
  });

  it("knows UnauthorizedError", () => {
    expect(reasonOf(new OldUnauthorizedError("private"))).toBe("core/misconfigured");
  });
});

describe("everything else", () => {
  it.each([
    [null],
    [undefined],
    ["McpError"],
    [{}],
    [new Error("private")],
    [{ code: -32602 }],
    [{ name: "McpError" }],
    [{ name: "McpError", code: "-32602" }],
    [{ name: "ProtocolError", code: "-32602" }],
    [{ name: "SdkError", code: -32602 }],
    [{ name: "StreamableHTTPError", code: 429 }],
    [{ name: "UnauthorizedError" }],
    [{ [BRANDS]: ["mcp.SdkError"], code: "NOT_CONNECTED" }],
    [{ [BRANDS]: new Set(["SdkError"]), code: "NOT_CONNECTED" }],
  ])("is not recognised: %o", (value) => {
    expect(sdkReason(value)).toBeUndefined();
  });

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])("a code called %s is a bug", (code) => {
    expect(reasonOf({ name: "SdkError", code })).toBe("core/internal");
    expect(toFault({ name: "SdkError", code }).reason).toBe("core/internal");
  });

  it("survives hostile brands", () => {
    const thrower = () => {
      throw new Error("hostile");
    };
    const revoked = Proxy.revocable(new Set(["mcp.SdkError"]), {});
    revoked.revoke();
    const brands = [
      new Proxy(new Set(["mcp.SdkError"]), {}),
      new Proxy(new Set(["mcp.SdkError"]), { getPrototypeOf: thrower }),
      revoked.proxy,
      { has: thrower },
      Object.assign(new Set(), { has: thrower }),
    ];
    for (const brand of brands) {
      expect(sdkReason({ [BRANDS]: brand, code: "NOT_CONNECTED" })).toBeUndefined();
    }
    expect(reasonOf({ [BRANDS]: new Set(["mcp.SdkError"]), code: "NOT_CONNECTED" })).toBe("transport/not_connected");
  });
});
