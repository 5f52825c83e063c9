import {
  CONNECTION_CAUSE_IDS,
  CONNECTION_CAUSES,
  CONVERSATION_CAUSES,
} from "../../packages/faults/src/explain/data/causes.ts";
import { anchorOf, GENERATED, list, page, table } from "./markdown.ts";

const WEIGHTS = {
  broken: "`doctor` stops and exits with 1.",
  credentials: "`doctor` stops and exits with 4: it needs credentials.",
  note: "The server works; `doctor` mentions it and exits with 0.",
} as const;

/** `doctor` does not meet every cause: some show only in the texts of hosts and SDKs. */
function causeOutcome(id: string, weight: keyof typeof WEIGHTS): string {
  return Object.hasOwn(CONVERSATION_CAUSES, id)
    ? "`recourse explain` recognises it in a pasted text."
    : WEIGHTS[weight];
}

/** The page about everything that `recourse doctor` can find. */
export function causesPage(): string {
  const causes = CONNECTION_CAUSE_IDS.map((id) => ({
    id,
    code: undefined,
    weight: "broken" as const,
    ...CONNECTION_CAUSES[id],
  }));
  return page([
    GENERATED,
    "# What `recourse doctor` can find",
    `\`recourse doctor <url | command…>\` takes one step after the other and stops at the first broken one. It and \`recourse explain\` know ${causes.length} causes. Their ids never change.`,
    "`recourse explain D10` shows one of them in the terminal.",
    table(
      ["Cause", "What is wrong"],
      causes.map(({ id, title }) => [`[${id}](#${anchorOf(`${id}: ${title}`)})`, title]),
    ),
    ...causes.flatMap(({ id, title, seen, because, fix, code, weight }) => [
      `## ${id}: ${title}`,
      list([
        `**Seen:** ${seen}`,
        `**Cause:** ${because}`,
        `**Fix:** ${fix}`,
        `**Outcome:** ${causeOutcome(id, weight)}`,
      ]),
      code === undefined ? undefined : `\`\`\`\n${code}\n\`\`\``,
    ]),
  ]);
}
