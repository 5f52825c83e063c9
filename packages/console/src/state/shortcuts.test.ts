import { expect, test } from "vitest";
import { nameShortcut, type PressedKey } from "./shortcuts.ts";

const key = (name: string, more: Partial<PressedKey> = {}): PressedKey => ({
  ...{ key: name, ctrlKey: false, metaKey: false, altKey: false, at: "page", isModal: false },
  ...more,
});

test.each([
  ["a single key", key("j"), "j"],
  ["the second key of a sequence", key("n"), "g n", "g"],
  ["a single key in a field", key("j", { at: "field" }), undefined],
  ["a single key on a button", key("j", { at: "control" }), "j"],
  ["Enter on a link", key("Enter", { at: "control" }), undefined],
  ["Enter on the page", key("Enter"), "Enter"],
  ["Space", key(" "), undefined],
  ["with Alt", key("j", { altKey: true }), undefined],
  ["with Control", key("j", { ctrlKey: true }), "Ctrl j"],
  ["Control K in a field", key("K", { ctrlKey: true, at: "field" }), "Ctrl k"],
  ["Command K", key("k", { metaKey: true }), "Ctrl k"],
  ["anything under a dialog", key("k", { metaKey: true, isModal: true }), undefined],
] as const)("%s", (_, pressed, name, before?: string) => {
  expect(nameShortcut(pressed, { before, isOn: true })).toBe(name);
});

test("the switch of the settings turns single keys off, and nothing else", () => {
  expect(nameShortcut(key("j"), { isOn: false })).toBeUndefined();
  expect(nameShortcut(key("n"), { isOn: false, before: "g" })).toBeUndefined();
  expect(nameShortcut(key("Escape"), { isOn: false })).toBe("Escape");
  expect(nameShortcut(key("k", { ctrlKey: true }), { isOn: false })).toBe("Ctrl k");
});
