import { expect, test } from "vitest";
import { addVersion, compareVersions, NEXT, nameMinor, nameVersion, type SiteVersion } from "./versions.ts";

const release = (name: string): SiteVersion => ({ name, base: `/${name}/`, revision: `${name}.0` });

test("a patch belongs to its minor release", () => {
  expect(nameMinor("v0.1.3")).toBe("v0.1");
  expect(nameMinor("0.12.0")).toBe("v0.12");
  expect(nameMinor("main")).toBeUndefined();
});

test.each([
  ["/", "v0.1"],
  ["/next/", "next"],
  ["/v0.1/", "v0.1"],
])("the version at %s is named %s", (base, name) => {
  expect(nameVersion(base, "0.1.4")).toBe(name);
});

test("versions are ordered by their numbers", () => {
  const names = ["v0.9", "next", "v0.10", "v1.0"];
  expect(names.toSorted((a, b) => compareVersions(b, a))).toEqual(["next", "v1.0", "v0.10", "v0.9"]);
});

test("the newest release is never the main branch, unless nothing else is there", () => {
  expect(addVersion(undefined, NEXT).newest).toBe("next");
  const first = addVersion(addVersion(undefined, NEXT), release("v0.9"));
  expect(first.newest).toBe("v0.9");
  const second = addVersion(first, release("v0.10"));
  expect(second.newest).toBe("v0.10");
  expect(second.versions.map(({ name }) => name)).toEqual(["next", "v0.10", "v0.9"]);
});

test("a version is listed once", () => {
  expect(addVersion(addVersion(undefined, NEXT), NEXT).versions).toEqual([NEXT]);
});
