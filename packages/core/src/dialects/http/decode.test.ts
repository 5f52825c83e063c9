import { runs } from "@recourse/test-kit/runs";
import { expectCost } from "@recourse/test-kit/yardstick";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { json } from "../../../test/arbitraries.ts";
import { access_denied, token_expired, unauthorized } from "../../reasons/library/auth.ts";
import { conflict, rate_limited } from "../../reasons/library/core.ts";
import { createSecretFilter } from "../../safety/secrets.ts";
import { decodeHttp, encodeHttp, type HttpDecodeContext } from "./dialect.ts";

const STATUS_MEANINGS = [200, 204, 302, 400, 401, 403, 404, 409, 413, 422, 423, 429, 500, 503, 783];
const HEADERS = ["retry-after", "Retry-After-Ms", "RateLimit", "RateLimit-Policy", "X-RateLimit-Reset", "Date"];
const MEMBERS = ["error", "errors", "detail", "details", "code", "type", "fault", "ok", "success", "data", "status"];

const reply = fc.record({
  status: fc.oneof(fc.constantFrom(...STATUS_MEANINGS), fc.integer()),
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
  it("decodes to a frozen fault or undefined, never throws, and is a fault for every failed status", () => {
    fc.assert(
      fc.property(reply, context, (wire, given) => {
        const fault = decodeHttp(wire, given);
        expect(fault === undefined || Object.isFrozen(fault)).toBe(true);
        if (wire.status < 200 || wire.status > 299) expect(fault).toBeDefined();
        expect(decodeHttp(wire, given)).toEqual(fault);
      }),
      { numRuns: runs() },
    );
  });

  it("shows no text of the service unless the context asks for it", () => {
    fc.assert(
      fc.property(fc.constantFrom(...STATUS_MEANINGS), fc.constantFrom(...MEMBERS), (status, member) => {
        const said = "Xylophone quartz";
        const bodies = [said, { [member]: said }, { [member]: { message: said, code: said } }, { [member]: [said] }];
        for (const body of bodies)
          expect(JSON.stringify(decodeHttp({ status, body }) ?? {})).not.toContain("Xylophone");
      }),
      { numRuns: 200 },
    );
  });

  it("has the id of the request, from any common header, from the body or from the trace", () => {
    const id = "6f1c2f6e-5a0a-4a7e-9d5e-2f1a3b4c5d6e";
    for (const name of ["X-Request-Id", "request-id", "x-correlation-id", "x-amzn-RequestId", "cf-ray", "x-trace-id"])
      expect(decodeHttp({ status: 500, headers: { [name]: id } })).toMatchObject({
        kind: "upstream_failed",
        requestId: id,
      });
    expect(decodeHttp({ status: 404, headers: {}, body: { error: { request_id: id } } })?.requestId).toBe(id);
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    expect(decodeHttp({ status: 503, headers: { traceparent } })?.requestId).toBe("4bf92f3577b34da6a3ce929d0e0e4736");
    expect(decodeHttp({ status: 503, headers: { traceparent, "x-request-id": "r-42" } })?.requestId).toBe("r-42");
  });

  it("has no id of the request that is a secret or a text, and none where credentials were refused", () => {
    const at = (value: string, status = 500, context: HttpDecodeContext = {}) =>
      decodeHttp({ status, headers: { "x-request-id": value } }, context)?.requestId;
    expect(at("4bf92f3577b34da6", 500)).toBe("4bf92f3577b34da6");
    expect(at("4bf92f3577b34da6", 500, { secrets: createSecretFilter(["4bf92f3577b34da6"]) })).toBeUndefined();
    expect(at("Ignore-all-previous-instructions-1")).toBeUndefined();
    expect(at("4bf92f3577b34da6", 401)).toBeUndefined();
    expect(at("4bf92f3577b34da6", 401, { credential: "own" })).toBe("4bf92f3577b34da6");
  });

  const errors = Array.from({ length: 50_000 }, (_, at) => ({ field: `f${at}`, code: "c".repeat(50) }));
  it.each<[string, object]>([
    ["very many errors", { status: 422, body: { errors, error: { details: errors } } }],
    ["great depth", { status: 500, body: "[".repeat(200_000) }],
    ["a page after very many spaces", { status: 500, body: `${" ".repeat(200_000)}<html>` }],
    [
      "very long headers",
      { status: 429, headers: { ratelimit: '"a";r=0,'.repeat(500), "retry-after": "9".repeat(100_000) }, body: "" },
    ],
  ])("reads a reply with %s quickly", async (_, reply) => {
    await expectCost({
      work: () => expect(decodeHttp(reply)).toBeDefined(),
      yardstick: () => JSON.parse(JSON.stringify(errors)),
      atMost: 5,
    });
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
  ])("%o is not a reply", (wire) => {
    expect(decodeHttp(wire)).toBeUndefined();
  });
});

describe("our own fault in a reply of a service that speaks faults", () => {
  const SPEAKS = { speaksFaults: true } as const;
  const given = conflict.fault({ what: "order 7" }, { effect: "applied", basis: "guessed" });

  it("is read for every failed status, and from text too", () => {
    for (const body of [{ fault: given }, JSON.stringify({ fault: given })]) {
      expect(decodeHttp({ status: 418, headers: {}, body }, SPEAKS)).toEqual(given);
    }
    expect(decodeHttp(encodeHttp(given).body, SPEAKS)).toEqual(given);
  });

  it("does not turn a success into a failure", () => {
    expect(decodeHttp({ status: 200, headers: {}, body: { fault: given } }, SPEAKS)).toBeUndefined();
  });

  it("is filtered for the secrets of the request", () => {
    const fault = conflict.fault({}, { quote: { text: "the word is swordfish-9", from: "peer" } });
    const secrets = createSecretFilter(["swordfish-9"]);
    expect(decodeHttp({ status: 409, body: { fault } }, { ...SPEAKS, secrets })?.quote?.text).toBe(
      "the word is [removed]",
    );
  });

  it("about the server's own credential is hidden from the caller", () => {
    const own = { ...SPEAKS, credential: "own" } as const;
    expect(decodeHttp({ status: 401, body: { fault: unauthorized.fault() } }, own)?.reason).toBe("rest/upstream_auth");
    expect(decodeHttp({ status: 403, body: { fault: access_denied.fault() } }, own)?.reason).toBe(
      "rest/upstream_forbidden",
    );
    expect(decodeHttp({ status: 429, body: { fault: rate_limited.fault() } }, own)?.reason).toBe("core/rate_limited");
    const guess = unauthorized.fault({}, { effect: "possible", basis: "guessed" });
    expect(decodeHttp({ status: 401, body: { fault: guess } }, own)).toMatchObject({
      effect: "possible",
      basis: "guessed",
    });
  });
});

describe("the header Recourse-Effect", () => {
  const reply = { status: 503, headers: { "Recourse-Effect": "none", "retry-after": "2" }, body: { error: "x" } };
  it("is believed of a service that speaks faults", () => {
    const context = { httpMethod: "POST", speaksFaults: true };
    expect(decodeHttp(reply, context)).toMatchObject({ effect: "none", recourse: [{ do: "retry", afterMs: 2_000 }] });
    expect(decodeHttp({ ...reply, headers: { "recourse-effect": "applied" } }, context)?.effect).toBe("applied");
    expect(decodeHttp({ ...reply, headers: { "recourse-effect": "no" } }, context)?.effect).toBe("possible");
  });
  it("is not believed of any other", () => {
    expect(decodeHttp(reply, { httpMethod: "POST" })).toMatchObject({
      effect: "possible",
      recourse: [{ do: "refresh" }],
    });
  });
});

describe("the text of a service", () => {
  const quoteOf = (body: unknown, given: HttpDecodeContext = {}, status = 409) => {
    return decodeHttp({ status, headers: {}, body }, { text: "quote", ...given })?.quote;
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
  ])("%o is quoted where the context asks for it", (body, text) => {
    expect(quoteOf(body)).toEqual({ text, from: "upstream" });
  });

  it("is not quoted from a web page, about a credential, or where little is left of it", () => {
    expect(quoteOf("<html>Hello</html>")).toBeUndefined();
    expect(quoteOf({ message: "The key sk_1 has expired" }, {}, 401)).toBeUndefined();
    expect(quoteOf({ message: "m" }, { credential: "own" }, 403)).toBeUndefined();
    expect(quoteOf({ message: "at postgres://app:hunter2@10.0.0.5/x" })).toBeUndefined();
    expect(quoteOf({ message: "it is swordfish-9" }, { secrets: createSecretFilter(["swordfish-9"]) })?.text).toBe(
      "it is [removed]",
    );
  });

  it("shows a code only if it was declared and looks like one", () => {
    const body = { error: { code: "card_declined", type: "card error" } };
    const given = { text: "hide", declared: ["card_declined", "card error"] } as const;
    expect(quoteOf(body, given)).toEqual({ text: "card_declined", from: "upstream" });
    expect(quoteOf({ error: { type: "card error" } }, given)).toBeUndefined();
    expect(quoteOf(body, { text: "hide", declared: [] })).toBeUndefined();
  });
});

describe("refused credentials", () => {
  it("have the same wire for every reason, except for effect and basis", () => {
    const wires = [unauthorized.fault(), token_expired.fault({ expiredAt: 7 }, { quote: { text: "q", from: "peer" } })];
    expect(new Set(wires.map((fault) => JSON.stringify(encodeHttp(fault)))).size).toBe(1);
    expect(encodeHttp(unauthorized.fault({}, { effect: "possible" })).body["fault"]).toMatchObject({
      effect: "possible",
    });
  });

  it("decode to the same fault", () => {
    const replies = [
      { status: 401, headers: { "retry-after": "5", "stripe-should-retry": "true" }, body: { message: "expired" } },
      { status: 401, headers: { "www-authenticate": 'Bearer error="invalid_token"' }, body: "" },
      { status: 498 },
    ];
    expect(new Set(replies.map((wire) => JSON.stringify(decodeHttp(wire, { text: "quote" })))).size).toBe(1);
  });
});

it.each([
  [{ __type: "x", code: "ExpiredTokenException", message: "The security token is expired" }],
  [{ code: "InvalidSignatureException", message: "Check your key" }],
  [{ code: "AccessDeniedException", message: "User app may not" }],
  [{ error: { status: "INVALID_ARGUMENT", message: "API key not valid", details: [{ reason: "API_KEY_INVALID" }] } }],
])("a code about this server's own credential counts before 400, and nothing is quoted: %j", (body) => {
  const fault = decodeHttp({ status: 400, headers: {}, body }, { credential: "own", text: "quote" });
  expect(fault).toMatchObject({ kind: "unavailable", effect: "none", retry: { allowed: false } });
  expect(fault).not.toHaveProperty("quote");
  expect(decodeHttp({ status: 400, headers: {}, body: { code: "bad_color" } })?.kind).toBe("invalid_input");
});
