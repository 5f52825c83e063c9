import { describe, expect, it } from "vitest";
import { redactJson, relayBody } from "./redact-json.ts";
import { createSecretFilter, registerSecrets } from "./secrets.ts";
import { redactionCounts } from "./show-line.ts";

const SECRET = "hunter2-Zx9Qw7Lm";
const secrets = createSecretFilter([SECRET]);

describe("relayBody", () => {
  it("returns a body without secrets unchanged", () => {
    const raw = '{ "code": 404,\n  "error": "Client not found", "n": 12345678901234567890 }';
    expect(relayBody(raw, secrets)).toEqual({ text: raw, object: JSON.parse(raw) });
    expect(relayBody("Bad gateway", secrets)).toEqual({ text: "Bad gateway", object: undefined });
    expect(relayBody("[1]", secrets)).toEqual({ text: "[1]", object: undefined });
    const escaped = '{"error": "Caf\\u00e9 \\ud83d\\ude00 \\/ geschlossen"}';
    expect(relayBody(escaped, secrets)).toEqual({ text: escaped, object: { error: "Café 😀 / geschlossen" } });
  });

  it("removes the strings that contain a known secret, and stays JSON", () => {
    const body = { error: `key ${SECRET} is off`, [SECRET]: 1, deep: [{ a: SECRET, b: "fine" }] };
    const relayed = relayBody(JSON.stringify(body), secrets);
    expect(relayed?.object).toEqual({ error: null, deep: [{ a: null, b: "fine" }] });
    expect(relayed?.text).toBe('{"error":null,"deep":[{"a":null,"b":"fine"}]}');
  });

  it.each([
    ["a text that is no JSON", `Bad key ${SECRET}`],
    ["its base64", btoa(SECRET)],
    ["a member that the parser overwrites", `{"a":"${SECRET}","a":1}`],
    ["more than is looked at", "x".repeat(300_000)],
  ])("returns nothing for %s", (_, raw) => {
    expect(relayBody(raw, secrets)).toBeUndefined();
  });

  it("finds a secret behind escapes", () => {
    const escaped = [...SECRET].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
    expect(relayBody(`{"a":"${escaped}"}`, secrets)?.text).toBe('{"a":null}');
    expect(relayBody(`{"a":"${escaped}","a":"fine"}`, secrets)?.text).toBe('{"a":"fine"}');
  });

  it("finds secrets of the process, and secrets in numbers", () => {
    const forget = registerSecrets("4929123456789012");
    try {
      expect(relayBody('{"n":4929123456789012,"m":1}', undefined)?.object).toEqual({ n: null, m: 1 });
    } finally {
      forget();
    }
  });

  it("drops values that are nested too deep", () => {
    const members = relayBody(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`, secrets);
    expect(members?.text.length).toBeLessThan(1_000);
    const lists = relayBody(`${"[".repeat(65)}${"]".repeat(65)}`, secrets);
    expect(lists?.text).toBe(`${"[".repeat(64)}null${"]".repeat(64)}`);
  });

  it("passes on 262,144 characters and not more", () => {
    expect(relayBody("x".repeat(262_144), secrets)?.text).toHaveLength(262_144);
    expect(relayBody("x".repeat(262_145), secrets)).toBeUndefined();
  });

  it("counts what it removes", () => {
    const count = () => redactionCounts()["secret"] ?? 0;
    const before = count();
    relayBody(`{"a":"${SECRET}"}`, secrets);
    expect(count()).toBe(before + 1);
    relayBody(`Bad key ${SECRET}`, secrets);
    expect(count()).toBe(before + 2);
  });
});

it("redactJson returns data without secrets unchanged, and removes strings, numbers and names that contain one", () => {
  const secrets = createSecretFilter(["0123456789abcdef", "1234567890"]);
  expect(redactJson({ a: ["x", 1, null, true] }, secrets)).toEqual({
    value: { a: ["x", 1, null, true] },
    changed: false,
  });
  const coded = Buffer.from("0123456789abcdef").toString("base64");
  expect(redactJson({ a: [coded, 1234567890, 5], "0123456789abcdef": 1, b: "ok" }, secrets)).toEqual({
    value: { a: [null, null, 5], b: "ok" },
    changed: true,
  });
});
