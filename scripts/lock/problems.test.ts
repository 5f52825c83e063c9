import { expect, test } from "vitest";
import committed from "./allowed.json" with { type: "json" };
import { type Lock, type LockEntry, readLock, runtimeReach } from "./lock.ts";
import { type Allowed, lockProblems } from "./problems.ts";

const GOOD: LockEntry = { version: "1.0.0", integrity: "sha512-YQ==", license: "MIT" };
const ALLOWED: Allowed = {
  licenses: ["MIT", "ISC"],
  developmentLicenses: ["MPL-2.0"],
  licenseExceptions: { odd: "SEE LICENSE IN LICENSE" },
  installScripts: ["builds"],
  direct: ["dep", "tool"],
  published: { "@own/lib": ["dep", "deep"] },
};

function lockWith(more: Readonly<Record<string, LockEntry>> = {}): Lock {
  return {
    packages: {
      "": { name: "own", devDependencies: { tool: "1.0.0" } },
      "packages/lib": {
        name: "@own/lib",
        dependencies: { dep: "1.0.0" },
        peerDependencies: { tool: "1" },
        peerDependenciesMeta: { tool: { optional: true } },
      },
      "node_modules/@own/lib": { resolved: "packages/lib", link: true },
      "node_modules/dep": { ...GOOD, dependencies: { deep: "1.0.0" } },
      "node_modules/dep/node_modules/deep": { ...GOOD, license: "(GPL-3.0 OR ISC)" },
      "node_modules/tool": { ...GOOD, license: "MPL-2.0" },
      ...more,
    },
  };
}

test("a lock in order has no problems", () => {
  expect(lockProblems(lockWith(), ALLOWED)).toEqual([]);
  expect(runtimeReach(lockWith(), "packages/lib")).toEqual(["node_modules/dep", "node_modules/dep/node_modules/deep"]);
});

test("the lock of this repository is in order, and the errors bring nothing foreign to their users", () => {
  expect(lockProblems(readLock(), committed)).toEqual([]);
  expect(committed.published["@recourse/core"]).toEqual([]);
  expect(committed.published["@recourse/faults"]).toEqual(["@recourse/core"]);
  expect(runtimeReach(readLock(), "packages/core")).toEqual([]);
  expect(runtimeReach(readLock(), "packages/faults")).toEqual(["packages/core"]);
});

test.each<[string, Readonly<Record<string, LockEntry>>]>([
  ["x has no integrity hash: install it again from the registry", { "node_modules/x": { license: "MIT" } }],
  [
    "x names a download address: install it again with omit-lockfile-registry-resolved",
    { "node_modules/x": { ...GOOD, resolved: "https://elsewhere.example/x.tgz" } },
  ],
  [
    "x runs a script when it is installed: read it, then add it to installScripts in scripts/lock/allowed.json",
    {
      "node_modules/x": { ...GOOD, hasInstallScript: true },
      "node_modules/builds": { ...GOOD, hasInstallScript: true },
    },
  ],
  [
    "x has the licence GPL-3.0, which is not in scripts/lock/allowed.json, and it is used to develop",
    {
      "node_modules/x": { ...GOOD, license: "GPL-3.0" },
      "node_modules/odd": { ...GOOD, license: "SEE LICENSE IN LICENSE" },
    },
  ],
  [
    "deep has the licence MPL-2.0, which is not in scripts/lock/allowed.json, and a published package needs it at run time",
    { "node_modules/dep/node_modules/deep": { ...GOOD, license: "MPL-2.0" } },
  ],
  [
    "x is a new dependency: review it, then add it to direct in scripts/lock/allowed.json",
    { "": { name: "own", devDependencies: { tool: "1", x: "1" } }, "node_modules/x": GOOD },
  ],
  ["tool is not used any more: remove it from scripts/lock/allowed.json", { "": { name: "own" } }],
  [
    "@own/lib would bring x to its users: only what is in published in scripts/lock/allowed.json may",
    { "node_modules/dep": { ...GOOD, dependencies: { deep: "1", x: "1" } }, "node_modules/x": GOOD },
  ],
  ["@own/lib no longer needs deep: remove it from scripts/lock/allowed.json", { "node_modules/dep": GOOD }],
  [
    "node_modules/x needs x-linux, which has no entry: install again with all platforms",
    { "node_modules/x": { ...GOOD, optionalDependencies: { "x-linux": "1" } } },
  ],
])("says: %s", (problem, more) => {
  expect(lockProblems(lockWith(more), ALLOWED)).toEqual([problem]);
});
