import { expect, it } from "vitest";
import { isKnownSecret, protect } from "./register.ts";

it("finds a registered value until each registration is taken back, each once", () => {
  const first = protect("register-one", "short");
  const second = protect("register-one", "register-two");
  expect(isKnownSecret("a register-one b")).toBe(true);
  first();
  first();
  expect([isKnownSecret("a register-one b"), isKnownSecret("register-two")]).toStrictEqual([true, true]);
  second();
  expect([isKnownSecret("a register-one b"), isKnownSecret("register-two")]).toStrictEqual([false, false]);
});

it("keeps what two values have in common while one of them is registered", () => {
  const first = protect("-----\nshared-line-of-two-keys\nx");
  const second = protect("-----\nshared-line-of-two-keys\ny");
  first();
  expect(isKnownSecret("shared-line-of-two-keys")).toBe(true);
  second();
  expect(isKnownSecret("shared-line-of-two-keys")).toBe(false);
});

it("finds encoded forms and ignores short values", () => {
  const undo = protect("register me!", "1234567");
  expect(isKnownSecret("q=register%20me!&x")).toBe(true);
  expect(isKnownSecret("q=register+me%21&x")).toBe(true);
  expect(isKnownSecret("1234567")).toBe(false);
  undo();
});
