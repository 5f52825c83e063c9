import { KINDS, type Kind } from "@recourse/faults";
import {
  type CatalogueEntry,
  KIND_DOCS,
  SEVERITIES,
  type Severity,
  SYSTEM_NAMES,
  SYSTEMS,
  type SystemCode,
} from "@recourse/faults/explain";
import { ACTOR_PHRASES, EFFECT_PHRASES, REPEAT_PHRASES } from "../../packages/cli/src/explain/phrases.ts";
import { code, codeLink, GENERATED, list, page, table } from "./markdown.ts";

type Entries = readonly CatalogueEntry[];

const SEVERITY_MEANINGS = {
  critical: "A bug, or doubtful data: an operator has to act now.",
  error: "Something is broken or too small: an operator should act.",
  warning: "A setting, a key or the calling software should be checked.",
  info: "A normal refusal: the answer says what to do.",
} as const satisfies Record<Severity, string>;

/** The start page: an introduction, and every reason by domain. */
export function readme(entries: Entries): string {
  const domains = Map.groupBy(entries, ({ id }) => id.slice(0, id.indexOf("/")));
  return page([
    GENERATED,
    "# Errors",
    `Every failure that the library defines: ${entries.length} reasons of ${Object.keys(KINDS).length} kinds.`,
    "Look one up [by kind](by-kind.md), [by class](by-class.md), or [by the code of another system](by-system.md).",
    "A fault names its kind and its reason in the members `kind` and `reason`, such as `not_found` and `tool/not_found`. " +
      "The kind says what to do, the reason says what happened. Reasons that a server defines itself, and " +
      "`adhoc/…`, have no page here: read the page of their kind.",
    "In a message, `{name}` is a value, and a part in `[…]` is left out when its value is missing.",
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

/** The index by kind, with the consequences of each kind. */
export function byKind(entries: Entries): string {
  return page([
    GENERATED,
    "# Errors by kind",
    "Kinds are named by what has to happen next. What a single fault states takes precedence over its kind.",
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
              REPEAT_PHRASES[row.retryWhen],
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
  validation: "The request is wrong: change it before you repeat it.",
  permission: "The caller may not do this: credentials, a permission or an approval is missing.",
  retryable: "The failure may pass: wait, then repeat the call where repeating does no harm.",
  dependency:
    "A system behind the server failed: repeat with back-off where that does no harm, else check the state first.",
  terminal: "The call cannot succeed: do something else, or stop.",
} as const satisfies Record<CatalogueEntry["class"], string>;

/** The index by class. A program that does not know a kind uses its class. */
export function byClass(entries: Entries): string {
  const classes = Object.entries(CLASS_MEANINGS) as [CatalogueEntry["class"], string][];
  return page([
    GENERATED,
    "# Errors by class",
    "A program that does not know a kind uses its class.",
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
