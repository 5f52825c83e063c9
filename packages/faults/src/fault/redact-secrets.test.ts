import { describe, expect, it } from "vitest";
import { createSecretFilter, registerSecrets } from "../safety/secrets.ts";
import { type Authored, buildFault, type FaultParts } from "./build.ts";
import type { Fault } from "./fault.ts";
import { redactSecrets } from "./redact-secrets.ts";

const SECRET = "hunter2hunter2";
const secrets = createSecretFilter([SECRET]);
const built = (more: Partial<FaultParts> = {}): Fault =>
  buildFault({ kind: "conflict", reason: "test/conflict", message: "It is taken." as Authored, ...more });

describe("redactSecrets", () => {
  it("returns the same fault if it contains no secret", () => {
    const fault = built({ quote: { text: "taken", from: "peer" }, cause: built() });
    expect(redactSecrets(fault, secrets)).toBe(fault);
    expect(redactSecrets(fault)).toBe(fault);
  });

  it("replaces a message by the general message of the kind", () => {
    const fault = built({ message: `It is ${SECRET}.` as Authored });
    expect(redactSecrets(fault)).toBe(fault);
    expect(redactSecrets(fault, secrets)).toStrictEqual({
      ...fault,
      message: "The call conflicts with the current state.",
    });
    const newer: Fault = { ...fault, kind: "haunted", class: "permission" };
    expect(redactSecrets(newer, secrets)).toStrictEqual({ ...newer, message: "This call is not allowed." });
  });

  it("looks for secrets of the process too", () => {
    const fault = built({ message: `It is ${SECRET}.` as Authored });
    const release = registerSecrets(SECRET);
    expect(redactSecrets(fault).message).toBe("The call conflicts with the current state.");
    expect(redactSecrets(fault, createSecretFilter([])).message).toBe("The call conflicts with the current state.");
    release();
  });

  it.each<[string, Partial<FaultParts>, object]>([
    ["quote", { quote: { text: SECRET, from: "peer" } }, {}],
    ["tool", { recourse: [{ do: "do_first", tool: SECRET }] }, { recourse: [{ do: "do_first" }] }],
    [
      "issue",
      { issues: [{ pointer: `/a/${SECRET}`, rule: "type", expected: SECRET }] },
      { issues: [{ pointer: "/a", rule: "type" }] },
    ],
    ["limit", { limits: [{ policy: SECRET, quota: 1 }] }, { limits: [{ quota: 1 }] }],
    ["origin", { origin: { layer: "gateway", name: SECRET } }, { origin: { layer: "gateway" } }],
  ])("drops the string from %s and keeps the rest", (_, more, left) => {
    const { quote: _q, issues: _i, limits: _l, ...rest } = built(more);
    expect(redactSecrets(built(more), secrets)).toStrictEqual({ ...rest, ...left });
  });

  it("replaces the message if a param contains a secret, since it may show a part of it", () => {
    const params = { name: SECRET, other: 1 };
    const fault = redactSecrets(built({ params, message: `It is ${SECRET.slice(0, 12)}…` as Authored }), secrets);
    expect(fault.message).toBe("The call conflicts with the current state.");
    expect(fault.params).toStrictEqual({ name: null, other: 1 });
    const listed = redactSecrets(built({ params: { names: ["a", SECRET] } }), secrets);
    expect(listed).toMatchObject({
      message: "The call conflicts with the current state.",
      params: { names: ["a", null] },
    });
  });

  it("checks causes, and keeps the members without a secret", () => {
    const inner = built({ message: `It is ${SECRET}.` as Authored, quote: { text: SECRET, from: "peer" } });
    const fault = redactSecrets(built({ quote: { text: "taken", from: "peer" }, cause: inner }), secrets);
    expect(fault.message).toBe("It is taken.");
    expect(fault.quote).toEqual({ text: "taken", from: "peer" });
    expect(fault.cause).toStrictEqual(built({ message: "The call conflicts with the current state." as Authored }));
    expect(Object.isFrozen(fault) && Object.isFrozen(fault.cause)).toBe(true);
  });

  it.each([
    ["in JSON with escaped slashes", "abc/def/ghi", "abc\\/def\\/ghi"],
    ["in JSON as ASCII", "grüßegrüße", "gr\\u00fc\\u00dfegr\\u00fc\\u00dfe"],
    ["in JSON", 'say "please" now', 'say \\"please\\" now'],
    ["percent-encoded", "päss wörd!", "p%C3%A4ss%20w%C3%B6rd!"],
    ["in base64", SECRET, "aHVudGVyMmh1bnRlcjI="],
  ])("finds a secret %s", (_, secret, form) => {
    const fault = built({ quote: { text: `body ${form}`, from: "peer" }, allow: ["credential", "id"] });
    expect(fault.quote?.text).toContain(form);
    expect(redactSecrets(fault, createSecretFilter([secret])).quote).toBeUndefined();
  });

  it("still works if a constant sentence contains a secret by coincidence", () => {
    const fault = built({ quote: { text: SECRET, from: "peer" } });
    const chance = redactSecrets(
      buildFault({
        kind: "internal",
        reason: "core/internal",
        message: "An internal error." as Authored,
        cause: fault,
      }),
      createSecretFilter([SECRET, "internal", "conflict", "state", "conflicts with"]),
    );
    expect(JSON.stringify(chance)).not.toContain(SECRET);
    expect([chance.kind, chance.reason, chance.message]).toEqual([
      "internal",
      "core/internal",
      "The call failed because of an internal error.",
    ]);
  });

  it("does not change the given fault", () => {
    const fault = built({ quote: { text: SECRET, from: "peer" }, cause: built({ limits: [{ policy: SECRET }] }) });
    const before = structuredClone(fault);
    redactSecrets(fault, secrets);
    expect(fault).toStrictEqual(before);
  });
});
