import { runs } from "@recourse/test-kit/runs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as any from "../../test/arbitraries.ts";
import { KINDS } from "./kinds.ts";
import { faultSchema } from "./schema.ts";

const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(faultSchema);

const VALID = {
  v: 1,
  kind: "conflict",
  class: "terminal",
  reason: "core/conflict",
  message: "It is taken.",
  params: { what: "name", list: [1, null, true, "x"] },
  quote: { text: "taken", from: "upstream" },
  recourse: [
    { do: "ask_user", afterMs: 5, fields: ["/a"], candidates: ["a"], tool: "t", approval: "A1", link: "/approvals" },
  ],
  effect: "possible",
  retry: { allowed: true, afterMs: 5, maxAttempts: 1, backoff: "fixed", jitter: 0.5 },
  issues: [{ pointer: "/name", rule: "duplicate", expected: "a free name", suggestion: "other" }],
  limits: [{ policy: "burst", unit: "calls", quota: 3, remaining: 0, windowMs: 1, resetMs: 1, scope: "user" }],
  origin: { layer: "gateway", name: "edge" },
  basis: "mapped",
  tried: { attempts: 2, elapsedMs: 20, stopped: "deadline" },
  incident: "01ARYZ6S41TSV4RRFFQ69G5FAV",
  at: "2026-11-15T02:00:00Z",
  trace: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  docs: "/reasons/core/conflict",
};

/** A copy with one place changed; undefined removes it. */
function changed(path: string, value: unknown): unknown {
  const copy: unknown = structuredClone({ ...VALID, cause: VALID });
  const keys = path.split(".");
  const last = keys.pop() as string;
  let at = copy as Record<string, unknown>;
  for (const key of keys) at = at[key] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}
const times = (count: number, item: unknown) => Array.from({ length: count }, () => item);

describe("the schema of a fault", () => {
  it("takes every fault that the library builds", () => {
    fc.assert(
      fc.property(any.fault, (fault) => {
        validate(fault);
        expect(validate.errors).toBeNull();
      }),
      { numRuns: runs() },
    );
  }, 120_000);

  it("takes a full fault, and one without what is optional", () => {
    expect(validate({ ...VALID, cause: { ...VALID, cause: VALID } })).toBe(true);
    const { v, kind, class: group, reason, message, effect, origin, basis } = VALID;
    expect(validate({ v, kind, class: group, reason, message, effect, origin, basis })).toBe(true);
  });

  it.each(
    "v kind class reason message effect origin basis quote.text quote.from recourse.0.do retry.allowed issues.0.pointer issues.0.rule origin.layer tried.attempts tried.elapsedMs tried.stopped cause.message".split(
      " ",
    ),
  )("requires %s", (path) => {
    expect(validate(changed(path, undefined))).toBe(false);
  });

  it.each(
    "params recourse quote retry issues limits tried incident at trace docs cause origin.name recourse.0.link issues.0.expected limits.0.policy".split(
      " ",
    ),
  )("does not require %s", (path) => {
    expect(validate(changed(path, undefined))).toBe(true);
  });

  it.each<[path: string, good: unknown, bad: unknown]>([
    ["v", 1, 2],
    ["kind", "haunted", "Haunted"],
    ["kind", `k${"a".repeat(39)}`, `k${"a".repeat(40)}`],
    ["reason", `a${"b".repeat(39)}/c${"d".repeat(59)}`, `a${"b".repeat(40)}/c`],
    ["params", {}, []],
    ["params", { [`k${"a".repeat(39)}`]: 1 }, { [`k${"a".repeat(40)}`]: 1 }],
    [
      "params",
      Object.fromEntries(times(20, 0).map((_, i) => [`k${i}`, i])),
      Object.fromEntries(times(21, 0).map((_, i) => [`k${i}`, i])),
    ],
    ["params.list", times(10, 1), times(11, 1)],
    ["quote.text", "q".repeat(500), "q".repeat(501)],
    ["recourse", times(3, { do: "stop" }), times(4, { do: "stop" })],
    ["recourse.0.do", "retry", "pray"],
    ["recourse.0.afterMs", 0, -1],
    ["recourse.0.fields", times(10, "/a"), times(11, "/a")],
    ["recourse.0.tool", "n".repeat(64), "n".repeat(65)],
    ["recourse.0.link", "n".repeat(256), "n".repeat(257)],
    ["retry.allowed", false, 0],
    ["retry.jitter", 0.99, 1],
    ["issues", times(20, { pointer: "", rule: "type" }), times(21, { pointer: "", rule: "type" })],
    ["issues.0.expected", "e".repeat(120), "e".repeat(121)],
    ["limits", times(5, {}), times(6, {})],
    ["limits.0.policy", "n".repeat(64), "n".repeat(65)],
    ["limits.0.quota", 0, -1],
    ["origin.name", "n".repeat(64), "n".repeat(65)],
    ["tried.attempts", 0, -1],
    ["incident", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ"],
    ["trace", VALID.trace, VALID.trace.toUpperCase()],
    ["docs", "d".repeat(256), "d".repeat(257)],
    ["cause.effect", "none", "partly"],
  ])("limits %s", (path, good, bad) => {
    expect(validate(changed(path, good))).toBe(true);
    expect(validate(changed(path, bad))).toBe(false);
  });

  it("names every member, and the kinds as examples", () => {
    const properties = faultSchema["properties"] as Record<string, Record<string, unknown>>;
    expect(Object.keys(properties).join(" ")).toBe(
      "v kind class reason message params quote recourse effect retry issues limits origin basis tried incident requestId at trace docs cause",
    );
    const members = (schema: Record<string, unknown> | undefined) =>
      Object.keys(schema?.["properties"] ?? {}).join(" ");
    const items = (schema: Record<string, unknown> | undefined) => schema?.["items"] as Record<string, unknown>;
    expect(members(properties["quote"])).toBe("text from");
    expect(members(items(properties["recourse"]))).toBe("do afterMs fields candidates tool approval link");
    expect(members(properties["retry"])).toBe("allowed afterMs maxAttempts backoff jitter");
    expect(members(items(properties["issues"]))).toBe("pointer rule expected message suggestion code keys");
    expect(members(items(properties["limits"]))).toBe("policy unit quota remaining windowMs resetMs scope");
    expect(members(properties["origin"])).toBe("layer name");
    expect(members(properties["tried"])).toBe("attempts elapsedMs stopped equalFailures");
    expect(properties["kind"]?.["examples"]).toEqual(Object.keys(KINDS));
    expect([faultSchema["$schema"], faultSchema["title"], faultSchema["type"]]).toEqual([
      "https://json-schema.org/draft/2020-12/schema",
      "Recourse fault, version 1",
      "object",
    ]);
  });

  it.each(["quote", "recourse.0", "retry", "issues.0", "limits.0", "origin", "tried"])(
    "takes only an object as %s",
    (path) => {
      expect(validate(changed(path, "x"))).toBe(false);
      expect(validate(changed(path, []))).toBe(false);
    },
  );
});
