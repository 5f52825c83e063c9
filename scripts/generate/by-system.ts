import { type CatalogueEntry, SYSTEM_NAMES, SYSTEMS, type SystemCode } from "@recourse/faults/explain";
import { code, codeLink, GENERATED, list, page, table } from "./markdown.ts";

/** The index by the codes of the five systems. */
export function bySystem(entries: readonly CatalogueEntry[]): string {
  return page([
    GENERATED,
    "# Errors by system",
    "The same number means different things in different systems, so look it up under the system that sent it.",
    ...SYSTEM_NAMES.flatMap((system) => {
      const { name, wire, practice } = SYSTEMS[system];
      const rows = entries
        .flatMap((entry) => (entry.doc.codes ?? []).map((of) => ({ entry, of })))
        .filter(({ of }) => of.system === system)
        .toSorted((a, b) => compareCodes(a.of, b.of) || (a.entry.id < b.entry.id ? -1 : 1));
      return [
        `## ${name}`,
        wire,
        list(practice),
        table(
          ["Code", "Reason", "Kind", "Note"],
          rows.map(({ entry, of }) => [
            code(of.code),
            codeLink(entry.id, `${entry.id}.md`),
            codeLink(entry.kind, `by-kind.md#${entry.kind}`),
            of.note ?? "",
          ]),
        ),
      ];
    }),
  ]);
}

/** Numbers by their size without the sign, which is how the systems list them; words by the alphabet. */
function compareCodes(a: SystemCode, b: SystemCode): number {
  const [left, right] = [Math.abs(Number(a.code)), Math.abs(Number(b.code))];
  if (Number.isNaN(left) || Number.isNaN(right)) return a.code < b.code ? -1 : Number(a.code !== b.code);
  return left - right;
}
