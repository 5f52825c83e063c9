import { expect, test } from "vitest";
import allowed from "./allowed.json" with { type: "json" };
import { type Lock, readLock } from "./lock.ts";
import { publishedFolders } from "./problems.ts";
import { createSbom } from "./sbom.ts";

const LOCK: Lock = {
  packages: {
    "packages/lib": {
      name: "@own/lib",
      version: "1.2.3",
      license: "Apache-2.0",
      dependencies: { dep: "1", "@a/b": "2" },
    },
    "node_modules/dep": {
      version: "1.0.0",
      license: "MIT OR ISC",
      integrity: "sha512-AQI=",
      dependencies: { "@a/b": "2" },
    },
    "node_modules/@a/b": { version: "2.0.0", license: "SEE LICENSE IN LICENSE" },
    "node_modules/unrelated": { version: "1.0.0" },
  },
};

test("lists everything that a package brings to its users, and who needs whom", () => {
  expect(createSbom(LOCK, { folder: "packages/lib" })).toEqual({
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "library",
        "bom-ref": "pkg:npm/%40own/lib@1.2.3",
        group: "@own",
        name: "lib",
        version: "1.2.3",
        purl: "pkg:npm/%40own/lib@1.2.3",
        licenses: [{ license: { id: "Apache-2.0" } }],
      },
    },
    components: [
      {
        type: "library",
        "bom-ref": "pkg:npm/%40a/b@2.0.0",
        group: "@a",
        name: "b",
        version: "2.0.0",
        purl: "pkg:npm/%40a/b@2.0.0",
        licenses: [{ license: { name: "SEE LICENSE IN LICENSE" } }],
      },
      {
        type: "library",
        "bom-ref": "pkg:npm/dep@1.0.0",
        name: "dep",
        version: "1.0.0",
        purl: "pkg:npm/dep@1.0.0",
        licenses: [{ expression: "MIT OR ISC" }],
        hashes: [{ alg: "SHA-512", content: "0102" }],
      },
    ],
    dependencies: [
      { ref: "pkg:npm/%40own/lib@1.2.3", dependsOn: ["pkg:npm/%40a/b@2.0.0", "pkg:npm/dep@1.0.0"] },
      { ref: "pkg:npm/%40a/b@2.0.0", dependsOn: [] },
      { ref: "pkg:npm/dep@1.0.0", dependsOn: ["pkg:npm/%40a/b@2.0.0"] },
    ],
  });
});

test("has a time only if it is given", () => {
  const timestamp = "2026-11-15T00:00:00Z";
  expect(createSbom(LOCK, { folder: "packages/lib", timestamp }).metadata).toMatchObject({ timestamp });
});

test.each(publishedFolders(readLock(), allowed))(
  "%s is listed with a version, a licence and a hash of each",
  (_, folder) => {
    const { components, metadata } = createSbom(readLock(), { folder });
    expect(metadata.component.licenses).toEqual([{ license: { id: "Apache-2.0" } }]);
    for (const one of components) {
      expect(one.licenses).toHaveLength(1);
      if (one.group !== "@recourse") expect(one.hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/);
    }
  },
);
