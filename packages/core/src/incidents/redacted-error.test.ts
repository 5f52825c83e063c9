import { afterEach, describe, expect, it } from "vitest";
import { internal, unavailable } from "../reasons/library/core.ts";
import { createSecretFilter, registerSecrets } from "../safety/secrets.ts";
import { redactedError } from "./redacted-error.ts";

const fault = internal.fault();
const SECRET = "s3cret-registered-value";
let undo = () => {};
afterEach(() => undo());

/** Everything that a tracker could read of an error. */
function allOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = Object.getOwnPropertyNames(error).map((key) => `${key}=${String(Reflect.get(error, key))}`);
  return [error.name, ...own, error.cause === undefined ? "" : allOf(error.cause)].join("\n");
}

describe("redactedError", () => {
  it("keeps name, message, stack and causes", () => {
    const cause = new TypeError("cannot read x", { cause: new RangeError("below") });
    const copy = redactedError({ fault, cause });
    expect(copy).not.toBe(cause);
    expect([copy.name, copy.message, copy.stack]).toEqual(["TypeError", "cannot read x", cause.stack]);
    expect(copy.cause).toBeInstanceOf(Error);
    expect((copy.cause as Error).name).toBe("RangeError");
    expect((copy.cause as Error).cause).toBeUndefined();
  });

  it("removes registered secrets and those of the request everywhere in the chain, and all other members", () => {
    undo = registerSecrets(SECRET);
    const below = Object.assign(new Error(`token ${SECRET} refused`), { config: { headers: { key: SECRET } } });
    below.name = `Bad ${SECRET}`;
    const cause = Object.assign(new Error("call failed with req-token-12345", { cause: below }), { response: SECRET });
    const copy = redactedError({ fault, cause, secrets: createSecretFilter(["req-token-12345"]) });
    expect(allOf(copy)).not.toContain(SECRET);
    expect(allOf(copy)).not.toContain("req-token-12345");
    expect(Object.keys(copy)).toEqual([]);
    expect(copy.message).toBe("call failed with [removed]");
    expect((copy.cause as Error).message).toBe("token [removed] refused");
    // The frames stay, or nobody finds the place.
    expect(copy.stack).toContain("redacted-error.test.ts");
  });

  it.each([
    "connect ECONNREFUSED postgres://app:hunter2@10.0.0.5",
    "first line\npassword=hunter22hunter\nlast line",
    "no user ada@example.com",
    "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijklmnop",
  ])("removes what looks like a credential or personal data from %s", (message) => {
    const found = allOf(redactedError({ fault, cause: new Error(message, { cause: new Error(message) }) }));
    expect(found).not.toMatch(/hunter2|ada@|eyJ/);
    expect(found).toContain("redacted-error.test.ts");
  });

  it("takes a message for frames only where the stack begins with it", () => {
    const cause = new Error("harmless");
    cause.stack = "Error: other\n    at password=hunter22hunter:1:2";
    expect(redactedError({ fault, cause }).stack).not.toContain("hunter22hunter");
  });

  it("is named after the fault where nothing was thrown", () => {
    const copy = redactedError({ fault: unavailable.fault() });
    expect([copy.name, copy.message]).toEqual(["core/unavailable", unavailable.fault().message]);
    expect(copy.stack).toBe(`core/unavailable: ${unavailable.fault().message}`);
  });

  it("keeps the members of an AggregateError, and what thrown objects contain", () => {
    const members = [new Error("connect ::1:5432"), { status: 503, password: "hunter22hunter" }];
    const copy = redactedError({ fault, cause: new AggregateError(members, "both failed") }) as AggregateError;
    expect(copy).toBeInstanceOf(AggregateError);
    expect(copy.errors.map(({ name, message }: Error) => `${name}: ${message}`)).toEqual([
      "Error: connect ::1:5432",
      'object: {"status":503,"password":"[removed]"}',
    ]);
  });

  it("survives anything that can be thrown", () => {
    const hostile = new Proxy(
      {},
      { get: () => expect.unreachable(), getOwnPropertyDescriptor: () => expect.unreachable() },
    );
    const circular = new Error("round");
    circular.cause = circular;
    for (const cause of [hostile, circular, Symbol("s"), 1n, null, "text", { message: "m" }])
      expect(redactedError({ fault, cause })).toBeInstanceOf(Error);
    expect(redactedError({ fault, cause: "password=hunter22hunter" }).message).not.toContain("hunter22");
  });

  it.each([
    ["lines that end as on Windows", "-----BEGIN KEY-----\r\nabcdefghij\r\n-----END KEY-----"],
    ["tabs", "first\tsecond\tthird"],
  ])("finds a secret with %s", (_, secret) => {
    undo = registerSecrets(secret);
    const shown = allOf(redactedError({ fault, cause: new Error(`key: ${secret}`) }));
    expect(shown).not.toMatch(/abcdefghij|second/);
  });

  it.each([0, 7, 16, 20])("shows no part of a secret at the end of a long text (%i)", (shift) => {
    undo = registerSecrets(SECRET);
    const cause = new Error(`${"word ".repeat(4_000).slice(0, 16_384 - shift)}${SECRET}`);
    expect(allOf(redactedError({ fault, cause })).includes(SECRET.slice(0, 6))).toBe(false);
  });
});
