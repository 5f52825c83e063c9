import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { json } from "../../../test/arbitraries.ts";
import { runs } from "../../../test/runs.ts";
import { access_denied, token_expired, unauthorized } from "../../reasons/library/auth.ts";
import { conflict, rate_limited } from "../../reasons/library/core.ts";
import { createSecretFilter } from "../../safety/secrets.ts";
import type { HttpDecodeContext } from "./context.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";

const STATUSES = [200, 204, 302, 400, 401, 403, 404, 409, 413, 422, 423, 429, 500, 503, 783];
const HEADERS = ["retry-after", "Retry-After-Ms", "RateLimit", "RateLimit-Policy", "X-RateLimit-Reset", "Date"];
const MEMBERS = ["error", "errors", "detail", "details", "code", "type", "fault", "ok", "success", "data", "status"];

const reply = fc.record({
  status: fc.oneof(fc.constantFrom(...STATUSES), fc.integer()),
  headers: fc.oneof(json, fc.dictionary(fc.constantFrom(...HEADERS), fc.oneof(fc.string(), json))),
  body: fc.oneof(json, fc.string(), fc.dictionary(fc.constantFrom(...MEMBERS), json)),
});
const context: fc.Arbitrary<HttpDecodeContext> = fc.record(
  {
    httpMethod: fc.constantFrom("GET", "POST"),
    keyed: fc.boolean(),
    now: fc.nat(),
    credential: fc.constantFrom("own" as const, "caller" as const),
    text: fc.constantFrom("quote" as const, "hide" as const),
    expects: fc.constant("json" as const),
  },
  { requiredKeys: [] },
);

describe("any reply", () => {
  it("decodes without a throw to a frozen fault or to nothing; what failed is always a fault", () => {
    fc.assert(
      fc.property(reply, context, (wire, told) => {
        const fault = decode(wire, told);
        expect(fault === undefined || Object.isFrozen(fault)).toBe(true);
        if (wire.status < 200 || wire.status > 299) expect(fault).toBeDefined();
        expect(decode(wire, told)).toEqual(fault);
      }),
      { numRuns: runs() },
    );
  });

  it("shows nothing that the service wrote, unless asked", () => {
    fc.assert(
      fc.property(fc.constantFrom(...STATUSES), fc.constantFrom(...MEMBERS), (status, member) => {
        const said = "Xylophone quartz";
        const bodies = [said, { [member]: said }, { [member]: { message: said, code: said } }, { [member]: [said] }];
        for (const body of bodies) expect(JSON.stringify(decode({ status, body }) ?? {})).not.toContain("Xylophone");
      }),
      { numRuns: 200 },
    );
  });

  it("takes no time over a body that is huge or deep", () => {
    const started = performance.now();
    const errors = Array.from({ length: 50_000 }, (_, at) => ({ field: `f${at}`, code: "c".repeat(50) }));
    decode({ status: 422, body: { errors, error: { details: errors } } });
    decode({ status: 500, body: "[".repeat(200_000) });
    decode({ status: 500, body: `${" ".repeat(200_000)}<html>` });
    decode({
      status: 429,
      headers: { ratelimit: '"a";r=0,'.repeat(500), "retry-after": "9".repeat(100_000) },
      body: "",
    });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it.each([
    undefined,
    null,
    7,
    "x",
    [],
    {},
    { status: "404", body: {} },
    { status: 1.5, body: {} },
    { status: 404, code: 1 },
  ])("%o is none", (wire) => {
    expect(decode(wire)).toBeUndefined();
  });
});

describe("our own fault in a reply", () => {
  const given = conflict.fault({ what: "order 7" }, { effect: "applied", basis: "guessed" });

  it("is read whole, whatever the status, and from text too", () => {
    for (const body of [{ fault: given }, JSON.stringify({ fault: given })]) {
      expect(decode({ status: 418, headers: {}, body })).toEqual(given);
    }
    expect(decode(encode(given).body)).toEqual(given);
  });

  it("does not turn a success into a failure", () => {
    expect(decode({ status: 200, headers: {}, body: { fault: given } })).toBeUndefined();
  });

  it("is passed through the secrets of the request", () => {
    const fault = conflict.fault({}, { quote: { text: "the word is swordfish-9", from: "peer" } });
    const secrets = createSecretFilter(["swordfish-9"]);
    expect(decode({ status: 409, body: { fault } }, { secrets })?.quote).toBeUndefined();
  });

  it("about this server's own credential is not the caller's", () => {
    const own = { credential: "own" } as const;
    expect(decode({ status: 401, body: { fault: unauthorized.fault() } }, own)?.reason).toBe("rest/upstream_auth");
    expect(decode({ status: 403, body: { fault: access_denied.fault() } }, own)?.reason).toBe(
      "rest/upstream_forbidden",
    );
    expect(decode({ status: 429, body: { fault: rate_limited.fault() } }, own)?.reason).toBe("core/rate_limited");
    const guess = unauthorized.fault({}, { effect: "possible", basis: "guessed" });
    expect(decode({ status: 401, body: { fault: guess } }, own)).toMatchObject({
      effect: "possible",
      basis: "guessed",
    });
  });
});

describe("what a service wrote", () => {
  const quoteOf = (body: unknown, told: HttpDecodeContext = {}, status = 409) => {
    return decode({ status, headers: {}, body }, { text: "quote", ...told })?.quote;
  };

  it.each([
    [{ detail: "d", message: "m", title: "t" }, "d"],
    [{ error: "invalid_request", error_description: "e" }, "e"],
    [{ error: { message: "m" } }, "m"],
    [{ errors: [{ detail: "d" }] }, "d"],
    [{ error: "e" }, "e"],
    [{ errors: "e" }, "e"],
    [[{ message: "m", errorCode: "X" }], "m"],
    ["plain", "plain"],
  ])("%o is quoted on demand", (body, text) => {
    expect(quoteOf(body)).toEqual({ text, from: "upstream" });
  });

  it("is quoted neither from a web page nor about a credential, nor where a net withholds it", () => {
    expect(quoteOf("<html>Hello</html>")).toBeUndefined();
    expect(quoteOf({ message: "The key sk_1 has expired" }, {}, 401)).toBeUndefined();
    expect(quoteOf({ message: "m" }, { credential: "own" }, 403)).toBeUndefined();
    expect(quoteOf({ message: "at postgres://app:hunter2@10.0.0.5/x" })).toBeUndefined();
    expect(quoteOf({ message: "it is swordfish-9" }, { secrets: createSecretFilter(["swordfish-9"]) })).toBeUndefined();
  });

  it("shows a code only if it was declared and looks like one", () => {
    const body = { error: { code: "card_declined", type: "card error" } };
    const told = { text: "hide", declared: ["card_declined", "card error"] } as const;
    expect(quoteOf(body, told)).toEqual({ text: "card_declined", from: "upstream" });
    expect(quoteOf({ error: { type: "card error" } }, told)).toBeUndefined();
    expect(quoteOf(body, { text: "hide", declared: [] })).toBeUndefined();
  });
});

describe("refused credentials", () => {
  it("look alike on the wire whatever the reason, but for certainty", () => {
    const wires = [unauthorized.fault(), token_expired.fault({ expiredAt: 7 }, { quote: { text: "q", from: "peer" } })];
    expect(new Set(wires.map((fault) => JSON.stringify(encode(fault)))).size).toBe(1);
    expect(encode(unauthorized.fault({}, { effect: "possible" })).body["fault"]).toMatchObject({ effect: "possible" });
  });

  it("look alike when read", () => {
    const replies = [
      { status: 401, headers: { "retry-after": "5", "stripe-should-retry": "true" }, body: { message: "expired" } },
      { status: 401, headers: { "www-authenticate": 'Bearer error="invalid_token"' }, body: "" },
      { status: 498 },
    ];
    expect(new Set(replies.map((wire) => JSON.stringify(decode(wire, { text: "quote" })))).size).toBe(1);
  });
});
