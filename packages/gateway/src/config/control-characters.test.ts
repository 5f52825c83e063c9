import { expect, it } from "vitest";
import { hasControl, PRINTABLE } from "./control-characters.ts";

it.each(["\u0000", "a\nb", "\t", "\u001f", "\u007f"])("finds the control character in %j", (name) => {
  expect(hasControl(name)).toBe(true);
  expect(new RegExp(PRINTABLE, "u").test(name)).toBe(false);
});

it.each(["shop__refund", "a b", "äöü", "\u0080", "😀"])("takes %j", (name) => {
  expect(hasControl(name)).toBe(false);
  expect(new RegExp(PRINTABLE, "u").test(name)).toBe(true);
});
