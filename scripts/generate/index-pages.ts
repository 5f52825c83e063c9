import { KINDS, type Kind } from "@recourse/core";
import {
  type CatalogueEntry,
  KIND_DOCS,
  SEVERITIES,
  type Severity,
  SYSTEM_NAMES,
  SYSTEMS,
  type SystemCode,
  sayRepeat,
} from "@recourse/explain";
import { ACTOR_PHRASES, EFFECT_PHRASES } from "../../packages/cli/src/explain/phrases.ts";
import { code, codeLink, GENERATED, list, page, table } from "./markdown.ts";

type Entries = readonly CatalogueEntry[];

/** What each severity means. */
export const SEVERITY_MEANINGS = {
  critical: "The server's own access is refused: nothing works until the operator acts.",
  error: "Something is broken or lacks capacity: the operator should act.",
  warning: "Check a setting, a key or the calling software.",
  info: "A normal refusal: the answer says what to do.",
} as const satisfies Record<Severity, string>;

/** The start page: an introduction, and every reason by domain. */
export function readme(entries: Entries): string {
  const domains = Map.groupBy(entries, ({ id }) => id.slice(0, id.indexOf("/")));
  return page([
    GENERATED,
    "# Errors",
    `These pages describe every failure that the library defines: ${entries.length} reasons in ${Object.keys(KINDS).length} kinds.`,
    "Look up a failure [by kind](by-kind.md), [by class](by-class.md), or [by the code of another system](by-system.md).",
    "A fault has a kind and a reason, in the members `kind` and `reason`, such as `not_found` and `tool/not_found`. " +
      "The kind says what to do, the reason says what happened. Reasons that a server defines itself and " +
      "`adhoc/…` reasons have no page here: look up their kind.",
    "In a message, `{name}` stands for a value. A part in `[…]` is omitted if its value is missing.",
    "## Severity",
    table(
      ["Severity", "Meaning"],
      SEVERITIES.map((severity) => [severity, SEVERITY_MEANINGS[severity]]),
    ),
    ...[...domains].flatMap(([domain, of]) => [
      `## ${domain}`,
      table(
        ["Reason", "Title", "Kind", "Severity"],
        of.map(({ id, kind, doc }) => [reasonLink(id), doc.title, kindLink(kind), doc.severity]),
      ),
    ]),
  ]);
}

/** The index by kind, with the defaults of each kind. */
export function byKind(entries: Entries): string {
  return page([
    GENERATED,
    "# Errors by kind",
    "A kind says what has to happen next. These are the defaults of each kind: the members of a fault take precedence over them.",
    ...(Object.keys(KINDS) as Kind[]).flatMap((kind) => {
      const row = KINDS[kind];
      return [
        `## ${kind}`,
        KIND_DOCS[kind].meaning,
        table(
          ["Class", "Who acts", "First move", "Effect", "Retry", "Counts against the server", "HTTP"],
          [
            [
              codeLink(row.class, `by-class.md#${row.class}`),
              ACTOR_PHRASES[row.actor],
              code(row.firstMove),
              EFFECT_PHRASES[row.effect],
              sayRepeat(row.retryWhen),
              row.tripsBreaker ? "yes" : "no",
              String(row.httpStatus),
            ],
          ],
        ),
        reasonsOf(entries.filter((entry) => entry.kind === kind)),
      ];
    }),
  ]);
}

const CLASS_MEANINGS = {
  validation: "The request is wrong: change it before you send it again.",
  permission: "The caller is not allowed to do this: credentials, a permission or an approval is missing.",
  retryable: "The failure may be temporary: wait, then repeat the call if repeating is safe.",
  dependency:
    "A system behind the server failed: repeat with back-off if repeating is safe, otherwise check the state first.",
  terminal: "The call cannot succeed: do something else, or stop.",
} as const satisfies Record<CatalogueEntry["class"], string>;

/** The index by class. A program that does not know a kind uses its class. */
export function byClass(entries: Entries): string {
  const classes = Object.entries(CLASS_MEANINGS) as [CatalogueEntry["class"], string][];
  return page([
    GENERATED,
    "# Errors by class",
    "A class groups kinds that need the same reaction. If your program does not know a kind, use its class.",
    ...classes.flatMap(([name, about]) => {
      const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) => KINDS[kind].class === name);
      return [
        `## ${name}`,
        about,
        `Kinds: ${kinds.map(kindLink).join(", ")}.`,
        reasonsOf(entries.filter((entry) => entry.class === name)),
      ];
    }),
  ]);
}

/** The index by the codes of other systems. */
export function bySystem(entries: Entries): string {
  return page([
    GENERATED,
    "# Errors by system",
    "Find the reason that matches an error code of another system. The same number means different things in different systems, so look it up under the system that sent it.",
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

/** Sorts numbers by their absolute value, as the systems list them, and names by the alphabet. */
function compareCodes(a: SystemCode, b: SystemCode): number {
  const [left, right] = [Math.abs(Number(a.code)), Math.abs(Number(b.code))];
  if (Number.isNaN(left) || Number.isNaN(right)) return a.code < b.code ? -1 : Number(a.code !== b.code);
  return left - right;
}

function reasonsOf(entries: Entries): string {
  return table(
    ["Reason", "Title"],
    entries.map(({ id, doc }) => [reasonLink(id), doc.title]),
  );
}

function reasonLink(id: string): string {
  return codeLink(id, `${id}.md`);
}

function kindLink(kind: string): string {
  return codeLink(kind, `by-kind.md#${kind}`);
}
