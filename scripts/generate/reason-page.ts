import { KINDS, render } from "@recourse/core";
import { type CatalogueEntry, KIND_DOCS, SYSTEMS, sayRepeat } from "@recourse/explain";
import { ACTOR_PHRASES, EFFECT_PHRASES } from "../../packages/cli/src/explain/phrases.ts";
import { code, codeLink, GENERATED, list, page, table } from "./markdown.ts";
import { sayMoves } from "./phrases.ts";
import { bareMessage, sampleFault } from "./samples.ts";

/** The page about one reason, in a folder below the indexes. */
export function reasonPage(entry: CatalogueEntry): string {
  const { id, kind, text, doc } = entry;
  const fault = sampleFault(id);
  const row = KINDS[kind];
  const slots = Object.entries(entry.slots);
  return page([
    GENERATED,
    `# ${doc.title}`,
    code(id),
    bareMessage(id),
    table(
      ["", ""],
      [
        ["Kind", `${codeLink(kind, `../by-kind.md#${kind}`)}: ${lower(KIND_DOCS[kind].meaning)}`],
        ["Class", codeLink(entry.class, `../by-class.md#${entry.class}`)],
        ["Who acts", ACTOR_PHRASES[row.actor]],
        ["Next move", sayMoves(id)],
        ["Default effect", `${code(fault.effect)}: ${EFFECT_PHRASES[fault.effect]}`],
        ["Repeat the same call?", sayRepeat(fault)],
        ["HTTP status", String(row.httpStatus)],
        ["Severity", `[${doc.severity}](../README.md#severity)`],
      ],
    ),
    "## Causes",
    list(doc.causes),
    "## What to do",
    list(doc.remedies),
    "## Message",
    code(text),
    slots.length === 0
      ? undefined
      : table(
          ["Value", "Type"],
          slots.map(([name, type]) => [code(name), type]),
        ),
    "For example, a model reads:",
    `\`\`\`text\n${render(fault, { for: "model" })}\n\`\`\``,
    ...otherSystems(entry),
  ]);
}

/** A sentence as the second half of another, without its full stop. */
function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1, -1);
}

function otherSystems({ doc }: CatalogueEntry): readonly string[] {
  if (doc.codes === undefined) return [];
  const rows = doc.codes.map(({ system, code: value, note }) => [
    `[${SYSTEMS[system].name}](../by-system.md#${system})`,
    code(value),
    note ?? "",
  ]);
  return ["## In other systems", table(["System", "Code", "Note"], rows)];
}
