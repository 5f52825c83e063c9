import { createSecretFilter } from "@recourse/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHider, printableUrl, typedSecrets } from "./secrets.ts";

const specs = {
  header: { type: "string", multiple: true, secret: "header", about: "" },
  env: { type: "string", multiple: true, secret: "variable", about: "" },
  save: { type: "string", about: "" },
} as const;

const find = (options: Record<string, string[]>, positionals: string[] = []) =>
  typedSecrets({ options, positionals }, specs);

describe("secretsIn", () => {
  it("finds the values of headers and variables, and their parts", () => {
    expect(find({ header: ["Authorization: Bearer abc.def"] })).toEqual(["Bearer abc.def", "abc.def"]);
    expect(find({ header: [`authorization:Basic ${btoa("me:pass:word")}`] })).toContain("pass:word");
    expect(find({ env: ["URL=postgres://me:p%40ss@db/x"] })).toEqual([
      "postgres://me:p%40ss@db/x",
      "me",
      "me",
      "p%40ss",
      "p@ss",
    ]);
    expect(find({ env: ["EMPTY="], header: ["no separator"] })).toContain("no separator");
  });

  it("leaves values that are no secrets", () => {
    expect(find({ header: ["Accept: application/json"], env: ["NODE_ENV=production"] })).toEqual([]);
  });

  it("finds secrets of addresses and arguments", () => {
    expect(find({}, ["https://me:pa%20ss@x.org/?api_key=k1&page=2"])).toEqual(["me", "me", "pa%20ss", "pa ss", "k1"]);
    expect(find({}, ["node", "x.js", "--api-token", "t1", "--secret=t2", "--port", "3", "DB_PASSWORD=t3"])).toEqual([
      "t1",
      "t2",
      "t3",
    ]);
  });
});

describe("createHider", () => {
  const hider = createHider(createSecretFilter);
  const secret = 's3cr3t/"value"';
  hider.hide(secret, "Bearer longer-token", "longer-token", "1234567", "short", "");

  it("replaces a value as it is, in JSON and in an address", () => {
    expect(hider.clean(`a ${secret} b`)).toBe("a [hidden] b");
    expect(JSON.parse(hider.clean(JSON.stringify({ a: `x ${secret}` })))).toEqual({ a: "x [hidden]" });
    expect(hider.clean(`?q=${encodeURIComponent(secret)}`)).toBe("?q=[hidden]");
    expect(hider.clean("Bearer longer-token, longer-token")).toBe("[hidden], [hidden]");
  });

  it("replaces words that hold a value in another encoding", () => {
    expect(hider.clean(`got "${btoa(`me:${secret}`)}" here`)).toBe('got "[hidden]" here');
    expect(hider.clean(`hex ${Buffer.from("longer-token").toString("hex")}`)).toBe("hex [hidden]");
  });

  it("keeps JSON readable where a number is a secret", () => {
    expect(JSON.parse(hider.clean('{"n":1234567}'))).toEqual({ n: 0 });
    expect(JSON.parse(hider.clean('{"1234567":"1234567"}'))).toEqual({ "[hidden]": "[hidden]" });
  });

  it("keeps JSON readable where an encoded secret stands beside an escaped quotation mark", () => {
    const text = JSON.stringify({ said: `token "${btoa("longer-token")}"` });
    expect(JSON.parse(hider.clean(text))).toEqual({ said: 'token "[hidden]"' });
    const lines = `${text}\n${text}\n`;
    expect(hider.clean(lines)).toBe(`${JSON.stringify({ said: 'token "[hidden]"' })}\n`.repeat(2));
    expect(hider.clean(`${JSON.stringify({ a: [secret] }, undefined, 2)}\n`)).toBe(
      `${JSON.stringify({ a: ["[hidden]"] }, undefined, 2)}\n`,
    );
  });

  it("keeps members apart whose names are hidden", () => {
    expect(hider.cleanValue({ "x longer-token": 1, [`x ${secret}`]: 2, n: 91_234_567 })).toEqual({
      "x [hidden]": 1,
      "x [hidden] 2": 2,
      n: 0,
    });
  });

  it("leaves out what is nested too deep to be copied", () => {
    const deep = JSON.parse(`${"[".repeat(20_000)}"longer-token"${"]".repeat(20_000)}`) as unknown;
    expect(JSON.stringify(hider.cleanValue({ deep }))).toMatch(/^\{"deep":\[{500}"\[nested too deep\]"\]{500}\}$/);
  });

  it("leaves short values and other texts", () => {
    expect(hider.clean("short texts stay")).toBe("short texts stay");
  });
});

describe("JSON of any secret", () => {
  /** Secrets as people have them, and as nobody should: JSON within, quotation marks, backslashes, digits, base64. */
  const secrets = fc.oneof(
    fc.string({ minLength: 6, maxLength: 40, unit: "binary" }),
    fc.string({ minLength: 6, maxLength: 20, unit: fc.constantFrom('"', "\\", "/", "{", "}", ":", ",", "a", "\n") }),
    fc.string({ minLength: 6, maxLength: 12, unit: fc.constantFrom(..."0123456789") }),
    fc.base64String({ minLength: 8, maxLength: 40 }),
    fc.constantFrom('{"type":"service_account"}', '","state":"', "-----BEGIN KEY-----\nMIIE\n-----END KEY-----"),
  );
  const surroundings = fc.constantFrom("", '"', "\\", '\\"', "a", "=", "}", ",", "é", " ");
  const encodings: readonly ((secret: string) => string)[] = [
    (secret) => secret,
    (secret) => JSON.stringify(secret),
    (secret) => JSON.stringify(JSON.stringify({ [secret]: secret })),
    (secret) => encodeURIComponent(secret.toWellFormed()),
    (secret) => Buffer.from(secret).toString("base64"),
    (secret) => Buffer.from(secret).toString("hex"),
  ];

  /** Every string and name of a document, and its numbers as text. */
  function scalarsIn(value: unknown): string[] {
    if (Array.isArray(value)) return value.flatMap(scalarsIn);
    if (typeof value === "object" && value !== null)
      return Object.entries(value).flatMap(([name, member]) => [name, ...scalarsIn(member)]);
    return [String(value)];
  }

  it("is still JSON, and holds the secret nowhere", () => {
    const cases = fc.record({
      secret: secrets,
      before: surroundings,
      after: surroundings,
      encode: fc.constantFrom(...encodings),
      indent: fc.constantFrom(undefined, 2),
    });
    fc.assert(
      fc.property(cases, ({ secret, before, after, encode, indent }) => {
        // What the mark itself holds cannot be hidden by it.
        fc.pre(!"[hidden] 2".includes(secret));
        const hider = createHider(createSecretFilter);
        hider.hide(secret);
        const text = `${before}${encode(secret)}${after}`;
        const number = /^[1-9]\d{0,14}$/.test(secret) ? Number(secret) : 7;
        const document = { [text]: text, list: [text, { [`k${text}`]: number }], kept: "state", empty: null };
        const written = hider.clean(`${JSON.stringify(document, undefined, indent)}\n`);
        const read = JSON.parse(written) as Record<string, unknown>;
        for (const scalar of scalarsIn(read))
          for (const form of [secret, JSON.stringify(secret).slice(1, -1)]) expect(scalar).not.toContain(form);
        expect(JSON.stringify(read)).not.toContain(number === 7 ? JSON.stringify(secret) : secret);
        expect(read).toMatchObject({ kept: "state", empty: null });
        expect(scalarsIn(hider.cleanValue(document))).toEqual(scalarsIn(read));
      }),
      { numRuns: 500 },
    );
  });
});

describe("printableUrl", () => {
  it.each([
    ["https://me:pw@x.org/mcp", "https://x.org/mcp"],
    ["https://x.org/mcp?token=abc&page=2", "https://x.org/mcp?token=[hidden]&page=2"],
    ["https://x.org/mcp?API_KEY=a&API_KEY=b", "https://x.org/mcp?API_KEY=[hidden]"],
    ["no address", "no address"],
  ])("%s", (address, shown) => {
    expect(printableUrl(address)).toBe(shown);
  });
});
