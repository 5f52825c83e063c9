// What each member of a fault is for, from the comments of its types. The schema has no descriptions, since servers load it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../content/sources.ts";

const SOURCE = "packages/core/src/fault/fault.ts";

/** Which interface describes the object at a path. */
const INTERFACES: Readonly<Record<string, string>> = {
  "": "Fault",
  quote: "Quote",
  recourse: "Recourse",
  retry: "RetryAdvice",
  issues: "Issue",
  limits: "Limit",
  origin: "Origin",
  tried: "Tried",
};

const INTERFACE = /^export interface (\w+) \{\n([\s\S]*?)^\}/gm;
const MEMBER = /\/\*\* (.+?) \*\/\s+readonly (\w+)\??:/g;

/** Reads the descriptions of all members, by their path in the schema. */
export function describeFaultMembers(): ReadonlyMap<string, string> {
  const text = readFileSync(join(ROOT, SOURCE), "utf8");
  const bodies = new Map([...text.matchAll(INTERFACE)].map(([, name = "", body = ""]) => [name, body]));
  return new Map(
    Object.entries(INTERFACES).flatMap(([path, name]) =>
      [...(bodies.get(name) ?? "").matchAll(MEMBER)].map(
        ([, description = "", member = ""]) => [path === "" ? member : `${path}.${member}`, description] as const,
      ),
    ),
  );
}
