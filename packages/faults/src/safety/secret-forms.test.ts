import { expect, it } from "vitest";
import { formsOfSecret } from "./secret-forms.ts";

it.each<[what: string, secret: string, forms: readonly string[]]>([
  ["as it is", "hunter2-horse", ["hunter2-horse"]],
  ["with the spaces of a web form", "correct horse", ["correct horse", "correct+horse"]],
  ["without spaces at its ends", " hunter2\t", [" hunter2\t", "+hunter2\t", "hunter2"]],
  ["with compatibility characters replaced", "ｈunter2", ["ｈunter2", "hunter2"]],
  ["with half characters replaced", "hunter2\ud800", ["hunter2\ud800", "hunter2\ufffd"]],
  ["not where a form is too short", " hunt2", [" hunt2", "+hunt2"]],
])("searches for a secret %s", (_what, secret, forms) => {
  expect([...formsOfSecret(secret)]).toStrictEqual(forms);
});

it("searches for the lines of a key that belong to this key only", () => {
  const key =
    "-----BEGIN TEST KEY-----\r\n  abcdefghijklmnop\nfifteen-letters\n\nqrstuvwxyz-012345\n-----END TEST KEY-----";
  const forms = formsOfSecret(key);
  expect([...forms].filter((form) => !form.includes("\n"))).toStrictEqual(["abcdefghijklmnop", "qrstuvwxyz-012345"]);
});

it("searches for a line that only ends in dashes", () => {
  expect(formsOfSecret("abcdefghijkl-----\nx")).toContain("abcdefghijkl-----");
});

it.each(["\r", "\n"])("takes %j for the end of a line", (end) => {
  expect(formsOfSecret(`abcdefghijklmnop${end}x`)).toContain("abcdefghijklmnop");
});
