import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { httpUpstream } from "../../test/support/config.ts";
import { headWith } from "../../test/support/head.ts";
import { CredentialBytes, CredentialCutter, callSecrets } from "./credential-cutter.ts";

const OWN = "upstream-token-1";
const upstream = httpUpstream("http://127.0.0.1/", { credential: { kind: "bearer", token: OWN } });

function cutterAt(clock: { ms: number }) {
  const lines: string[] = [];
  const log = (level: string, message: string, facts?: unknown) =>
    void lines.push(`${level} ${message} ${JSON.stringify(facts)}`);
  return { cutter: new CredentialCutter({ observer: { log }, now: () => clock.ms }), lines };
}

it("tells the operator once in a minute, without the credential", () => {
  const clock = { ms: 0 };
  const { cutter, lines } = cutterAt(clock);
  for (clock.ms = 0; clock.ms < 120_000; clock.ms += 10_000) cutter.cutAnswer(Buffer.from(`"${OWN}"`), upstream);
  expect(lines).toHaveLength(2);
  expect(lines.join()).toContain('{"upstream":"up"}');
  expect(lines.join()).not.toContain(OWN);
});

it("leaves an answer that has none as it is, also where there is no credential", () => {
  const { cutter, lines } = cutterAt({ ms: 0 });
  const body = Buffer.from("{}");
  expect(cutter.cutAnswer(body, upstream)).toBe(body);
  expect(cutter.cutAnswer(body, httpUpstream("http://127.0.0.1/"))).toBe(body);
  expect(lines).toEqual([]);
});

it("takes the caller's credential out of notifications only: in an answer it may be what the caller sent", () => {
  const { cutter } = cutterAt({ ms: 0 });
  const head = headWith({ authorization: "Bearer caller-token-1" });
  const json = Buffer.from('["caller-token-1"]');
  expect(cutter.cutNotification(json, upstream, head).toString()).toBe('["[removed]"]');
  expect(cutter.cutAnswer(json, upstream)).toBe(json);
});

const TOKEN = "tok+en/with-signs&<more>";
const cut = (json: string, ...values: string[]) => new CredentialBytes(values).cut(Buffer.from(json))?.toString();

describe("what is found", () => {
  it.each([
    ["as it is", `{"a":"x ${TOKEN} y"}`],
    ["as PHP writes it", `{"a":"x ${TOKEN.replace("/", "\\/")} y"}`],
    ["as Go writes it", `{"a":"x ${TOKEN.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")} y"}`],
    [
      "as .NET writes it",
      `{"a":"x ${TOKEN.replace("+", "\\u002B").replace("&", "\\u0026").replace("<", "\\u003C").replace(">", "\\u003E")} y"}`,
    ],
    ["with its scheme", `{"a":"x Bearer ${TOKEN} y"}`],
  ])("%s", (_, json) => {
    expect(cut(json, `Bearer ${TOKEN}`)).toBe('{"a":"x [removed] y"}');
  });

  it("every time, in names and in values", () => {
    expect(cut('{"secret-a1":["secret-a1","secret-a1secret-a1"]}', "secret-a1")).toBe(
      '{"[removed]":["[removed]","[removed][removed]"]}',
    );
  });

  it("with quotation marks in it", () => {
    expect(cut(JSON.stringify({ a: 'my "secret" \\ value' }), 'my "secret" \\ value')).toBe('{"a":"[removed]"}');
  });
});

describe("what stays", () => {
  it("bytes without a credential, as they are", () => {
    expect(cut('{"a":1e400}', "secret-a1")).toBeUndefined();
  });

  it("words of fewer than eight letters", () => {
    expect(cut('{"a":"admin"}', "admin")).toBeUndefined();
  });

  it("the letters and digits of escapes", () => {
    expect(cut('{"a":"\\nsecret-1"}', "nsecret-1")).toBeUndefined();
    expect(cut('{"a":"\\u00e9secret-1"}', "e9secret-1")).toBeUndefined();
    expect(cut('{"a":"\\\\nsecret-1"}', "nsecret-1")).toBe('{"a":"\\\\[removed]"}');
  });

  it("a number, as a number", () => {
    expect(cut('{"a":1234567890,"b":"1234567890"}', "1234567890")).toBe('{"a":9999999999,"b":"9999999999"}');
  });
});

it("leaves JSON that can be read, without the credential", () => {
  const secret = fc.string({
    minLength: 8,
    maxLength: 20,
    unit: fc.constantFrom("\\", '"', "/", "u", "n", "0", "é", "+", "a"),
  });
  fc.assert(
    fc.property(secret, fc.array(fc.jsonValue(), { maxLength: 3 }), (token, others) => {
      const json = JSON.stringify([token, ...others, { [`x${token}`]: `\n${token}` }]);
      const read = JSON.parse(cut(json, token) ?? json) as unknown[];
      expect(JSON.stringify(read).includes(JSON.stringify(token).slice(1, -1))).toBe(false);
      expect(read.slice(1, -1)).toHaveLength(others.length);
    }),
  );
});

describe("tokens that were fetched for a call", () => {
  const credential = {
    kind: "exchange",
    tokenUrl: "https://login.example/token",
    clientId: "gateway",
    clientSecret: "secret-of-the-client",
    auth: "basic",
  } as const;
  const options = { ...httpUpstream("https://up.example/mcp"), credential };
  const head = headWith({ authorization: "Bearer token-of-the-caller" });
  const said = Buffer.from('{"a":"token-of-this-call","b":"secret-of-the-client","c":"token-of-another"}');
  const lines: string[] = [];
  const cutter = new CredentialCutter({ observer: { log: (_, text) => void lines.push(text) }, now: () => 0 });

  it("are cut out of answers and notifications, with the secret of the client, and the operator is told", () => {
    const left = '{"a":"[removed]","b":"[removed]","c":"token-of-another"}';
    expect(cutter.cutAnswer(said, options, ["token-of-this-call"]).toString()).toBe(left);
    expect(cutter.cutNotification(said, options, head, ["token-of-this-call"]).toString()).toBe(left);
    expect(lines).toHaveLength(1);
  });

  it("are found in failures, beside what is always found", () => {
    const secrets = callSecrets(options, head, ["token-of-this-call"]);
    const texts = ["token-of-this-call", "secret-of-the-client", "token-of-the-caller", "token-of-another"];
    expect(texts.map((text) => secrets?.has(`x ${text} y`))).toEqual([true, true, true, false]);
    expect(callSecrets(options, head)?.has("token-of-this-call")).toBe(false);
  });
});
