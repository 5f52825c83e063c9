import { describe, expect, it } from "vitest";
import { GOOGLE_STATUSES, googleName } from "../../reasons/http/body.ts";
import { CONDITIONS, HTTP_RULES, STATUS_OVERRIDES } from "../../reasons/http/table.ts";
import { decodeHttp, type HttpDecodeContext } from "./dialect.ts";

describe("the table", () => {
  it("uses every condition, and has no row twice", () => {
    const used = [...HTTP_RULES.flatMap(({ when }) => when ?? []), ...STATUS_OVERRIDES.flatMap(({ when }) => when)];
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(CONDITIONS).toSorted());
    const keys = HTTP_RULES.map(({ status, when }) => JSON.stringify([status, when]));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("knows the codes of google.rpc by name and by number", () => {
    expect(Object.keys(GOOGLE_STATUSES)).toHaveLength(16);
    const pins = [
      [1, "CANCELLED"],
      [3, "INVALID_ARGUMENT"],
      [5, "NOT_FOUND"],
      [8, "RESOURCE_EXHAUSTED"],
      [9, "FAILED_PRECONDITION"],
      [13, "INTERNAL"],
      [14, "UNAVAILABLE"],
      [16, "UNAUTHENTICATED"],
    ] as const;
    for (const [code, name] of pins) expect(googleName({ code, message: "m", details: [] })).toBe(name);
    for (const code of [0, 17, -1, 1.5, "5"]) expect(googleName({ code, details: [] })).toBeUndefined();
    expect(googleName({ code: 5, message: "m" })).toBeUndefined();
    expect(googleName({ error: { status: "toString" } })).toBeUndefined();
  });
});

describe("repeating", () => {
  const first = (status: number, context: HttpDecodeContext) => decodeHttp({ status }, context)?.recourse[0].do;

  it.each(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "get"])("%s may be repeated", (httpMethod) => {
    for (const status of [408, 424, 500, 502, 503, 504, 520, 524]) expect(first(status, { httpMethod })).toBe("retry");
  });

  it.each(["POST", "PATCH", "CONNECT", "", "toString"])("%s may not, unless a key was sent", (httpMethod) => {
    for (const status of [408, 424, 500, 502, 503, 504, 520, 524]) {
      expect(first(status, { httpMethod })).toBe("refresh");
      expect(first(status, { httpMethod, keyed: true })).toBe("retry");
    }
  });

  it("needs neither where the call had no effect", () => {
    for (const status of [421, 425, 429, 509, 521, 522, 523, 529]) expect(first(status, {})).toBe("retry");
  });

  it("is not offered where it would not help", () => {
    for (const status of [407, 415, 511, 525, 530]) expect(first(status, { httpMethod: "GET" })).toBe("stop");
  });
});

describe("codes that say more than the status", () => {
  it.each([
    [529, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, {}, "core/overloaded"],
    [503, { error: { code: "overloaded_error" } }, {}, "core/overloaded"],
    [402, { error: { type: "card_error", code: "card_declined" } }, { credential: "own" }, "rest/payment_required"],
    [402, { error: { code: "card_declined" } }, {}, "rest/payment_required"],
    [402, {}, { credential: "own" }, "rest/upstream_account"],
  ] as const)("%s %j %j is %s", (status, body, context, reason) => {
    expect(decodeHttp({ status, body }, context as HttpDecodeContext)?.reason).toBe(reason);
  });
});
