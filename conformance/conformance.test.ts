import { globSync, readFileSync } from "node:fs";
import * as dialects from "@recourse/core/dialects";
import { expect, test } from "vitest";
import type { Case, CaseFile } from "./case.ts";

interface AnyDialect {
  decode(wire: unknown, context?: object): unknown;
  encode?(fault: unknown, context?: object): unknown;
}

const files = globSync("*/*.json", { cwd: import.meta.dirname, exclude: ["facts/**"] })
  .sort()
  .map((name) => [name, JSON.parse(readFileSync(`${import.meta.dirname}/${name}`, "utf8")) as CaseFile] as const);

const usedIds = new Set<string>();

for (const [name, file] of files) {
  const dialect = (dialects as unknown as Record<string, AnyDialect>)[file.dialect];
  for (const one of file.cases) {
    test(`${name} ${one.id}: ${one.about}`, () => {
      expect(usedIds.has(`${file.dialect}/${one.id}`), "the id is used once").toBe(false);
      usedIds.add(`${file.dialect}/${one.id}`);
      expect(dialect?.decode(one.wire, one.context) ?? null).toEqual(one.fault);
      if (one.back !== undefined) {
        expect(dialect?.encode?.(one.fault, one.backContext ?? one.context)).toEqual(one.back);
        expect(missingFrom(one)).toEqual(Object.keys(one.losses ?? {}).sort());
      }
    });
  }
}

test("there are cases for every dialect", () => {
  const covered = new Set(files.map(([, file]) => file.dialect));
  const decoders = Object.entries(dialects).filter(
    ([, one]) => typeof (one as Partial<AnyDialect>).decode === "function",
  );
  expect([...covered].sort()).toEqual(decoders.map(([name]) => name).sort());
});

/** Pointers of the members of the wire that are missing or different after a round trip. */
function missingFrom({ wire, back }: Case): string[] {
  const missing: string[] = [];
  const walk = (before: unknown, after: unknown, at: string): void => {
    if (typeof before !== "object" || before === null) {
      if (before !== after) missing.push(at);
      return;
    }
    for (const [key, member] of Object.entries(before)) {
      // A dialect does not write the JSON-RPC envelope.
      if (at === "" && (key === "jsonrpc" || key === "id")) continue;
      const next = typeof after === "object" && after !== null ? (after as Record<string, unknown>)[key] : undefined;
      walk(member, next, `${at}/${key}`);
    }
  };
  walk(wire, back, "");
  return missing.sort();
}
