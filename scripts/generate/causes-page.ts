import { CAUSE_IDS, DOCTOR_CAUSES } from "../../packages/cli/src/doctor/causes.ts";
import { anchorOf, GENERATED, list, page, table } from "./markdown.ts";

const WEIGHTS = {
  broken: "`doctor` stops and exits with 1.",
  credentials: "`doctor` stops and exits with 4: it needs credentials.",
  note: "The server works; `doctor` mentions it and exits with 0.",
} as const;

/** The page about everything that `recourse doctor` can find. */
export function causesPage(): string {
  const causes = CAUSE_IDS.map((id) => ({ id, code: undefined, weight: "broken" as const, ...DOCTOR_CAUSES[id] }));
  return page([
    GENERATED,
    "# What `recourse doctor` can find",
    `\`recourse doctor <url | command…>\` takes one step after the other and stops at the first broken one. It knows ${causes.length} causes. Their ids never change.`,
    "`recourse explain D10` shows one of them in the terminal.",
    table(
      ["Cause", "What is wrong"],
      causes.map(({ id, title }) => [`[${id}](#${anchorOf(`${id}: ${title}`)})`, title]),
    ),
    ...causes.flatMap(({ id, title, seen, because, fix, code, weight }) => [
      `## ${id}: ${title}`,
      list([`**Seen:** ${seen}`, `**Cause:** ${because}`, `**Fix:** ${fix}`, `**Outcome:** ${WEIGHTS[weight]}`]),
      code === undefined ? undefined : `\`\`\`\n${code}\n\`\`\``,
    ]),
  ]);
}
