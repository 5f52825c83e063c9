import { describe, expect, it } from "vitest";
import { protect } from "../../safety/register.ts";
import { createSecretFilter } from "../../safety/secrets.ts";
import { relay } from "./raw.ts";

const SECRET = "hunter2-Zx9Qw7Lm";
const secrets = createSecretFilter([SECRET]);

describe("a body to relay", () => {
  it("stays as it is, to the byte", () => {
    const raw = '{ "code": 404,\n  "error": "Client not found", "n": 12345678901234567890 }';
    expect(relay(raw, secrets)).toEqual({ text: raw, body: JSON.parse(raw) });
    expect(relay("Bad gateway", secrets)).toEqual({ text: "Bad gateway", body: undefined });
    expect(relay("[1]", secrets)).toEqual({ text: "[1]", body: undefined });
  });

  it("loses the strings that hold a known secret, and stays JSON", () => {
    const body = { error: `key ${SECRET} is off`, [SECRET]: 1, deep: [{ a: SECRET, b: "fine" }] };
    const relayed = relay(JSON.stringify(body), secrets);
    expect(relayed?.body).toEqual({ error: null, deep: [{ a: null, b: "fine" }] });
    expect(relayed?.text).toBe('{"error":null,"deep":[{"a":null,"b":"fine"}]}');
  });

  it.each([
    ["a text that is no JSON", `Bad key ${SECRET}`],
    ["its base64", btoa(SECRET)],
    ["a member that the parser overwrites", `{"a":"${SECRET}","a":1}`],
    ["more than is looked at", "x".repeat(300_000)],
  ])("is not relayed when it is %s", (_, raw) => {
    expect(relay(raw, secrets)).toBeUndefined();
  });

  it("cannot hide a secret behind escapes", () => {
    const escaped = [...SECRET].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
    expect(relay(`{"a":"${escaped}"}`, secrets)?.text).toBe('{"a":null}');
    expect(relay(`{"a":"${escaped}","a":"fine"}`, secrets)?.text).toBe('{"a":"fine"}');
  });

  it("is looked at for secrets of the process and in numbers too", () => {
    const forget = protect("4929123456789012");
    try {
      expect(relay('{"n":4929123456789012,"m":1}', undefined)?.body).toEqual({ n: null, m: 1 });
    } finally {
      forget();
    }
  });

  it("ends at a depth that nobody reads", () => {
    const relayed = relay(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`, secrets);
    expect(relayed?.text.length).toBeLessThan(1_000);
  });
});
