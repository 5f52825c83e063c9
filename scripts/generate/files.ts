import { catalogue } from "@recourse/faults/explain";
import { factFiles, factsPage } from "../../conformance/facts.ts";
import { faultSchema } from "../../packages/faults/src/fault/schema.ts";
import { bySystem } from "./by-system.ts";
import { httpTable } from "./http-table.ts";
import { byClass, byKind, readme } from "./index-pages.ts";
import { json } from "./json.ts";
import { reasonPage } from "./reason-page.ts";

/** The folder that holds generated pages only: what else lies there is left over. */
export const PAGES = "docs/errors";

/** Every generated file: its path from the root, and its text. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const entries = Object.values(catalogue);
  return new Map([
    [`${PAGES}/README.md`, readme(entries)],
    [`${PAGES}/by-kind.md`, byKind(entries)],
    [`${PAGES}/by-class.md`, byClass(entries)],
    [`${PAGES}/by-system.md`, bySystem(entries)],
    ...entries.map((entry) => [`${PAGES}/${entry.id}.md`, reasonPage(entry)] as const),
    ["docs/http-table.md", httpTable()],
    ["packages/faults/schema/fault.json", json(faultSchema)],
    ["conformance/FACTS.md", factsPage(factFiles())],
  ]);
}
