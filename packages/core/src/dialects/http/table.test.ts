import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { KINDS } from "../../fault/kinds.ts";
import { GOOGLE_STATUSES, googleName } from "../../reasons/http/body.ts";
import { CONDITIONS, HTTP_RULES, STATUS_OVERRIDES } from "../../reasons/http/table.ts";
import { decodeHttp, type HttpDecodeContext } from "./dialect.ts";

/** What a status means when nothing else is known: published, so a row may be added but never changed. */
const PLAIN: Readonly<Record<string, readonly number[]>> = {
  "rest/unexpected_redirect possible": [300, 301, 302, 303, 305],
  "rest/unexpected_redirect none": [307, 308],
  "rest/unexpected_content possible": [304],
  "rest/invalid_arguments none": [400],
  "auth/unauthorized none": [401, 419, 440, 498],
  "rest/payment_required none": [402],
  "auth/not_authorized none": [403],
  "rest/not_found none": [404],
  "core/unsupported none": [405, 501],
  "rest/protocol_mismatch none": [406, 411, 415, 417, 426, 505, 510, 783],
  "core/misconfigured none": [407, 511, 525, 526, 530],
  "core/misconfigured possible": [508],
  "core/timeout possible": [408, 504, 524, 598, 599],
  "core/conflict none": [409],
  "rest/gone none": [410],
  "rest/stale none": [412, 428],
  "content/message_too_large none": [413, 414, 431],
  "rest/out_of_range none": [416],
  "rest/not_taken none": [421, 425],
  "rest/wrong_state none": [422],
  "rest/locked none": [423],
  "rest/upstream_failed possible": [424, 500, 502, 520, 506, 527, 561, 600, 700, 0, -1, 99, 100, 199],
  "core/rate_limited none": [429, 509, 529],
  "rest/rejected none": [430, 999],
  "transport/connection_lost possible": [444, 499],
  "rest/legal none": [451],
  "adapter/unavailable possible": [503, 507, 540],
  "core/unavailable none": [521, 522, 523],
  "rest/refused none": [418, 420, 450, 497],
};

describe("a status alone", () => {
  it.each(Object.entries(PLAIN))("%s", (meaning, statuses) => {
    for (const status of statuses) {
      const fault = decodeHttp({ status });
      expect([status, `${fault?.reason} ${fault?.effect}`]).toEqual([status, meaning]);
      expect(fault?.basis).toBe("mapped");
    }
  });

  it("is undefined for a success", () => {
    for (const status of [200, 201, 202, 203, 204, 205, 206, 207, 226, 299])
      expect(decodeHttp({ status })).toBeUndefined();
  });

  it("has an unknown status as a param", () => {
    expect(decodeHttp({ status: 418 })?.message).toBe("The service refused the request with HTTP status 418.");
  });
});

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

// The page repeats what the dialect writes. The table of replies that it links to is generated.
describe("the page about the dialect", () => {
  const page = readFileSync(new URL("../../../../../docs/dialects/http.md", import.meta.url), "utf8");

  it("has the status of every kind", () => {
    const groups = Map.groupBy(Object.entries(KINDS), ([, { httpStatus }]) => httpStatus);
    for (const [status, kinds] of groups) expect(page).toContain(`${status} ${kinds.map(([kind]) => kind).join(", ")}`);
  });

  it("is short, and links to the table", () => {
    expect(page.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
    expect(page).toContain("(../http-table.md)");
  });
});
