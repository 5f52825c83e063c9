import { describe, expect, it } from "vitest";
import { createSecretFilter, registerSecrets } from "../safety/secrets.ts";
import { cleanPointer } from "./clean.ts";

const token64 = "a".repeat(64);

describe("cleanPointer", () => {
  it.each([
    "/a",
    "/items/0/name",
    "/snake_case/kebab-case/camelCase",
    "/@type/$ref/a.b/a:b/a[0]",
    "/größe/名前",
    `/${token64}`,
  ])("keeps %s", (pointer) => {
    expect(cleanPointer(pointer)).toBe(pointer);
  });

  it.each([
    ["", ""],
    ["a", ""],
    ["#/a", ""],
    ["/", ""],
    ["/a/", "/a"],
    ["/a//b", "/a"],
    ["/a/b c/d", "/a"],
    ["/a/b\n/d", "/a"],
    ["/a/b~1c/d", "/a"],
    ["/a/b~0c", "/a"],
    ['/a/"quoted"', "/a"],
    ["/a/<b>", "/a"],
    ["/a/b\u200bc", "/a"],
    [`/a/${token64}a/b`, "/a"],
    ["/a/\ud800", "/a"],
  ])("cuts %j to %j", (pointer, shown) => {
    expect(cleanPointer(pointer)).toBe(shown);
  });

  it("keeps 200 characters, and never part of a name", () => {
    const base = `/${"a".repeat(49)}`.repeat(3);
    expect(base).toHaveLength(150);
    expect(cleanPointer(`${base}/${"b".repeat(49)}`)).toBe(`${base}/${"b".repeat(49)}`);
    expect(cleanPointer(`${base}/${"b".repeat(50)}`)).toBe(base);
    expect(cleanPointer(`${base}/${"b".repeat(48)}/c`)).toBe(`${base}/${"b".repeat(48)}`);
    expect(cleanPointer(`${base}/${"b".repeat(47)}/c`)).toBe(`${base}/${"b".repeat(47)}/c`);
    expect(cleanPointer("/a".repeat(5000))).toBe("/a".repeat(100));
  });

  it("ends before a name that contains a secret", () => {
    const secrets = createSecretFilter(["hunter2hunter2"]);
    expect(cleanPointer("/a/hunter2hunter2/b", { secrets })).toBe("/a");
    expect(cleanPointer("/a/hunter2hunter2/b")).toBe("/a/hunter2hunter2/b");
    const release = registerSecrets("hunter2hunter2");
    expect(cleanPointer("/a/x-hunter2hunter2")).toBe("/a");
    release();
  });
});

it("cleanPointer removes a secret that only the whole pointer contains", () => {
  const filter = { secrets: createSecretFilter(["hunter/swordfish"]) };
  expect(cleanPointer("/a/hunter/swordfish", filter)).toBe("");
  expect(cleanPointer("/a/hunter/sword", filter)).toBe("/a/hunter/sword");
});
