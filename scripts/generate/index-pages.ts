import { KINDS, type Kind } from "@recourse/faults";
import { type CatalogueEntry, KIND_DOCS, SEVERITIES, type Severity } from "@recourse/faults/explain";
import { code, codeLink, GENERATED, page, table } from "./markdown.ts";
import { ACTORS, EFFECTS, REPEATS } from "./words.ts";

type Entries = readonly CatalogueEntry[];

const LOOK = {
  critical: "A bug, or data is in doubt: an operator has to look now.",
  error: "Something is broken or too small: an operator should look.",
  warning: "A setting, a key or the calling software should be looked at.",
  info: "A normal refusal; the answer says all that is needed.",
} as const satisfies Record<Severity, string>;

/** The front page: how to read the others, and every reason by domain. */
export function readme(entries: Entries): string {
  const domains = Map.groupBy(entries, ({ id }) => id.slice(0, id.indexOf("/")));
  return page([
    GENERATED,
    "# Errors",
    `Every way to fail that the library knows: ${entries.length} reasons of ${Object.keys(KINDS).length} kinds.`,
    "Look one up [by kind](by-kind.md), [by class](by-class.md), or [by the code of another system](by-system.md).",
    "A fault names its kind and its reason at the end of its text, such as `[not_found tool/not_found]`. " +
      "The kind tells what to do; the reason tells what happened. Reasons that a server defines itself, and " +
      "`adhoc/…`, have no page here: read the one of their kind.",
    "In a message `{name}` stands for a value, and a part in `[…]` is left out when its value is missing.",
    "## Severity",
    table(
      ["Severity", "Who looks"],
      SEVERITIES.map((severity) => [severity, LOOK[severity]]),
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

/** Every kind with what follows from it, and its reasons. */
export function byKind(entries: Entries): string {
  return page([
    GENERATED,
    "# Errors by kind",
    "Kinds are cut by what somebody does next. What a single fault states takes precedence over its kind.",
    ...(Object.keys(KINDS) as Kind[]).flatMap((kind) => {
      const row = KINDS[kind];
      return [
        `## ${kind}`,
        KIND_DOCS[kind].meaning,
        table(
          ["Class", "Who acts", "First move", "Effect", "Repeat", "Counts against the server", "HTTP"],
          [
            [
              codeLink(row.class, `by-class.md#${row.class}`),
              ACTORS[row.actor],
              code(row.move),
              EFFECTS[row.effect],
              REPEATS[row.repeat],
              row.breaker ? "yes" : "no",
              String(row.status),
            ],
          ],
        ),
        reasonsOf(entries.filter((entry) => entry.kind === kind)),
      ];
    }),
  ]);
}

const ABOUT = {
  validation: "What was sent is wrong: change it, never repeat it as it is.",
  permission: "The caller may not do this: credentials, a right or an approval is missing.",
  retryable: "It may pass: wait, then repeat where repeating does no harm.",
  dependency: "Something behind the server failed: repeat with back-off where that does no harm, else look first.",
  terminal: "Final for this call: do something else, or stop.",
} as const satisfies Record<CatalogueEntry["class"], string>;

/** The five classes, which a reader falls back on when it does not know a kind. */
export function byClass(entries: Entries): string {
  const classes = Object.entries(ABOUT) as [CatalogueEntry["class"], string][];
  return page([
    GENERATED,
    "# Errors by class",
    "A reader that does not know a kind goes by its class.",
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
