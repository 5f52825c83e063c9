import { describe, expect, it } from "vitest";
import { httpUpstream } from "../../test/support/config.ts";
import { headWith } from "../../test/support/head.ts";
import { fromFlags } from "../call/abilities.ts";
import type { ServerRequest } from "../call/server-request.ts";
import { CredentialCutter } from "../judge/credential-cutter.ts";
import { prepareQuestion } from "./prepare-question.ts";

const SECRET = "sk-gateway-own-credential";

function prepare(method: string, params: string | Buffer | undefined, { prefix = "up__", flags = "fustcr" } = {}) {
  const request: ServerRequest = {
    method,
    params: typeof params === "string" ? Buffer.from(params) : params,
  };
  const found = prepareQuestion(request, {
    abilities: fromFlags(flags),
    upstream: httpUpstream("http://127.0.0.1:1/", { prefix, credential: { kind: "bearer", token: SECRET } }),
    head: headWith({ authorization: "Bearer of-the-caller-1234" }),
    cutter: new CredentialCutter({ observer: { log: () => {} }, now: () => 0 }),
  });
  if (Buffer.isBuffer(found)) return found.toString();
  return (JSON.parse(("error" in found ? found.error : found.result).toString()) as { readonly code: number }).code;
}

const META = '"_meta":{"recourse/upstream":"up"}';

describe("a question", () => {
  it.each([
    ["elicitation/create", '{"message":"Hi","n":1e400}', `{${META},"message":"up: Hi","n":1e400}`],
    [
      "elicitation/create",
      '{ "mode":"url", "message" : "", "x":1.0 }',
      `{ ${META},"mode":"url", "message" : "up: ", "x":1.0 }`,
    ],
    ["elicitation/create", '{"message":7}', `{${META},"message":7}`],
    ["sampling/createMessage", '{"message":"Hi"}', `{${META},"message":"Hi"}`],
    ["roots/list", undefined, `{${META}}`],
    ["roots/list", "{}", `{${META}}`],
    ["roots/list", '{"_meta":{"a":1,"recourse/upstream":"bank"}}', '{"_meta":{"a":1,"recourse/upstream":"up"}}'],
  ])("%s %s says who asks, and is passed on as it came", (method, params, passed) => {
    expect(prepare(method, params)).toBe(passed);
  });

  it("has the name of its upstream in its text only where the tools of the upstream have a prefix", () => {
    expect(prepare("elicitation/create", '{"message":"Hi"}', { prefix: "" })).toBe(`{${META},"message":"Hi"}`);
  });

  it("does not carry credentials, neither those of the gateway nor those of the caller", () => {
    const passed = prepare("elicitation/create", `{"message":"use ${SECRET} or of-the-caller-1234"}`);
    expect(passed).toContain('"message":"up: use ');
    expect(passed).not.toContain(SECRET);
    expect(passed).not.toContain("of-the-caller-1234");
  });

  it("is passed on up to its longest, for example with an image", () => {
    const image = "a".repeat(1_000_000);
    expect(prepare("sampling/createMessage", `{"data":"${image}"}`)).toBe(`{${META},"data":"${image}"}`);
    expect(prepare("sampling/createMessage", `{"tools":[],"data":"${image}"}`, { flags: "s" })).toBe(-32_601);
  });

  it.each([
    ["elicitation/create", '{"message":"a"}', "s", -32_601],
    ["elicitation/create", '{"mode":"url"}', "f", -32_601],
    ["sampling/createMessage", '{"tools":[]}', "s", -32_601],
    ["tasks/get", "{}", "fustcr", -32_601],
    ["elicitation/create", '{"message":"a","message":"b"}', "f", -32_602],
    ["elicitation/create", '{"message":"a","mess\\u0061ge":"b"}', "f", -32_602],
    ["elicitation/create", '{"_meta":{"a":1,"a":2}}', "f", -32_602],
    ["elicitation/create", '{"_meta":[]}', "f", -32_602],
    ["elicitation/create", "[]", "f", -32_602],
    ["elicitation/create", "{", "f", -32_602],
    ["elicitation/create", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "f", -32_602],
    ["elicitation/create", `{"a":${"[".repeat(2_000)}${"]".repeat(2_000)}}`, "f", -32_602],
    ["elicitation/create", `{"message":"${"a".repeat(1_048_576)}"}`, "f", -32_602],
  ])("%s %.60s for %s is refused with %d", (method, params, flags, code) => {
    expect(prepare(method, params, { flags })).toBe(code);
  });
});
