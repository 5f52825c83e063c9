import { createSecretFilter } from "@recourse/faults";
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
  });

  it("leaves short values and other texts", () => {
    expect(hider.clean("short texts stay")).toBe("short texts stay");
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
