import type { SkipReason } from "@recourse/explain";
import { padTo, wrapText } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { listNames, plural } from "../terminal/wording.ts";
import type { FailureGroup, LogSummary } from "./failure-group.ts";

/** Why lines were skipped. */
const SKIP_REASONS = {
  text: "plain text without a known failure",
  json: "JSON without a message of MCP or a failure",
  malformed: "JSON that is cut or malformed",
  tooLong: "longer than 16 MB",
} as const satisfies Record<SkipReason, string>;

/** The groups for a person, the most frequent first. */
export function writeSummary(summary: LogSummary, terminal: Terminal): string {
  const { width, styles, symbols } = terminal;
  const { lines, failures, groups } = summary;
  const dot = ` ${symbols.dot} `;
  const span = timeSpan(summary);
  const head = [
    `${plural(lines, "line")}, ${plural(failures, "failure")}${groups.length > 1 ? `, ${plural(groups.length, "cause")}` : ""}`,
    ...(span === undefined ? [] : [span]),
  ];
  const digits = String(groups[0]?.count ?? 0).length;
  const shown = groups.flatMap((group) => ["", ...groupLines(group, digits, terminal)]);
  const hints = groups.length === 0 ? [] : ["", ...wrapText(NEXT_HINT, { width, indent: "  " }).map(styles.dim)];
  const title = wrapText([styles.bold(head[0] ?? ""), ...head.slice(1).map(styles.dim)].join(dot), {
    width,
    indent: "  ",
  });
  return `\n${[...title, ...readLine(summary, terminal), ...shown, ...summaryNotes(summary, terminal), ...hints].join("\n")}\n\n`;
}

const NEXT_HINT = "--fingerprint <id> shows one group · --to <dialect> writes the failures in another dialect · --json";

/** What was read and what was skipped, and why: every line is in one of the numbers. */
function readLine(summary: LogSummary, { width, styles }: Terminal): string[] {
  const { lines, understood, messages, incidents } = summary;
  if (lines === 0) return [];
  const found = [
    ...(messages === 0 ? [] : [plural(messages, "message")]),
    ...(incidents === 0 ? [] : [plural(incidents, "incident")]),
  ];
  const skipped = lines - understood;
  const texts = [
    `${understood.toLocaleString("en-US")} read${found.length === 0 ? "" : ` (${found.join(", ")})`}`,
    `${skipped.toLocaleString("en-US")} skipped${skipped === 0 ? "" : `: ${skippedText(summary)}`}`,
  ];
  return wrapText(texts.join(", "), { width, indent: "  " }).map(styles.dim);
}

function skippedText({ skipped }: LogSummary): string {
  return (Object.entries(skipped) as [SkipReason, number][])
    .filter(([, count]) => count > 0)
    .map(([why, count]) => `${count.toLocaleString("en-US")} ${SKIP_REASONS[why]}`)
    .join(", ");
}

/** `2026-11-18 01:19:25 to 01:19:30 UTC`. */
export function timeSpan({
  firstAt,
  lastAt,
}: {
  readonly firstAt?: string | undefined;
  readonly lastAt?: string | undefined;
}): string | undefined {
  if (firstAt === undefined || lastAt === undefined) return undefined;
  const [day, time] = dayAndTime(firstAt);
  const [lastDay, lastTime] = dayAndTime(lastAt);
  if (day === lastDay && time === lastTime) return `${day} ${time} UTC`;
  return `${day} ${time} to ${day === lastDay ? "" : `${lastDay} `}${lastTime} UTC`;
}

function dayAndTime(iso: string): readonly [string, string] {
  return [iso.slice(0, 10), iso.slice(11, 19)];
}

function groupTitle({ kind, reason, cause, title }: FailureGroup, { styles }: Terminal): string {
  if (reason !== undefined) return `${styles.bold(kind)}  ${reason}`;
  if (cause !== undefined) return `${styles.bold(cause)}  ${title ?? ""}`;
  return styles.yellow("reads like a failure, says success");
}

function groupLines(group: FailureGroup, digits: number, terminal: Terminal): string[] {
  const { width, styles, symbols } = terminal;
  const { count, reason, cause, channel, sample, leak, fingerprint, incidents, next } = group;
  const first = `  ${String(count).padStart(digits)}  `;
  const indent = " ".repeat(first.length);
  const dot = ` ${symbols.dot} `;
  const span = timeSpan(group);
  const facts = [
    ...nameFacts("upstream", group.upstreams),
    ...nameFacts("tool", group.tools),
    ...(group.repeat === undefined ? [] : [`effect ${group.effect}`, `repeat: ${group.repeat}`]),
  ];
  const seen = [
    ...(group.thrown === undefined ? [] : [`thrown: ${group.thrown}`]),
    ...(span === undefined ? [] : [span]),
    ...(incidents.length < 2 ? [] : [`incidents ${listNames(incidents, 2)}`]),
  ];
  const known = reason !== undefined || cause !== undefined;
  return [
    ...wrapText(
      [groupTitle(group, terminal), known ? channel : "", styles.dim(fingerprint)]
        .filter((one) => one !== "")
        .join("  "),
      { width, indent, first },
    ),
    ...(sample === undefined ? [] : wrapText(`"${singleLine(sample)}"`, { width, indent })),
    ...(leak === undefined
      ? []
      : wrapText(styles.red(`leak: the text shows ${leak}, so it is left out here`), { width, indent })),
    ...(facts.length === 0 ? [] : wrapText(facts.join(dot), { width, indent }).map(styles.dim)),
    ...(seen.length === 0 ? [] : wrapText(seen.join(dot), { width, indent }).map(styles.dim)),
    // A command must stay on one line, or it cannot be copied.
    ...next.slice(0, 1).map((line) => `${indent}${styles.dim(symbols.arrow)} ${styles.cyan(line)}`),
  ];
}

/** Line breaks and indents of JSON in a text only take room here. Its quotation marks become single ones, so that its end is seen. */
function singleLine(sample: string): string {
  return sample.replaceAll(/(?:\\n|\s)+/g, " ").replaceAll('"', "'");
}

function nameFacts(what: string, counts: Readonly<Record<string, number>>): string[] {
  const [first, ...more] = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  if (first === undefined) return [];
  return [`${what} ${first[0]}${more.length === 0 ? "" : ` and ${more.length} more`}`];
}

/** One group in full. */
export function writeGroup(group: FailureGroup, terminal: Terminal): string {
  const { width, styles } = terminal;
  const span = timeSpan(group);
  const facts: (readonly [string, string])[] = [
    ["count", String(group.count)],
    ["seen as", group.channel],
    ...(span === undefined ? [] : [["time", span] as const]),
    ...(group.dialect === undefined ? [] : [["dialect", group.dialect] as const]),
    ...(group.effect === undefined ? [] : [["effect", group.effect] as const]),
    ...(group.repeat === undefined ? [] : [["repeat", group.repeat] as const]),
    ...(group.leak === undefined ? [] : [["leak", `the text shows ${group.leak}, so it is left out here`] as const]),
    ...(group.sample === undefined ? [] : [["text", group.sample] as const]),
    ...(group.thrown === undefined ? [] : [["thrown", group.thrown] as const]),
    ...countRows("upstreams", group.upstreams),
    ...countRows("tools", group.tools),
    ...group.incidents.map((id, at) => [at === 0 ? "incidents" : "", id] as const),
  ];
  const label = Math.max(...facts.map(([name]) => name.length)) + 2;
  const lines = facts.flatMap(([name, value]) =>
    wrapText(value, { width, indent: " ".repeat(label + 2), first: `  ${styles.dim(padTo(name, label))}` }),
  );
  const title = `${groupTitle(group, terminal)}  ${styles.dim(group.fingerprint)}`;
  const next = group.next.length === 0 ? [] : ["", ...group.next.map((line) => `  ${styles.cyan(line)}`)];
  return `\n  ${title}\n\n${[...lines, ...next].join("\n")}\n\n`;
}

function countRows(title: string, counts: Readonly<Record<string, number>>): (readonly [string, string])[] {
  return Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count], at) => [at === 0 ? title : "", `${name} (${count})`] as const);
}

/** What was not kept or counted. Silence about it would look like completeness. */
function summaryNotes(summary: LogSummary, { width, styles, symbols }: Terminal): string[] {
  const { ungrouped, repeated, messages, incidents, failures, groups } = summary;
  const texts = [
    ...(messages + incidents + failures === 0
      ? [
          "Nothing here is a message of MCP (JSON-RPC, a tool result, an HTTP answer, a recording), an incident of Recourse, or a failure that is known.",
        ]
      : []),
    ...(repeated === 0
      ? []
      : [
          `${plural(repeated, "failure")} ${repeated === 1 ? "stands" : "stand"} in the log more than once, such as in the server's part and in the gateway's. Each is counted once.`,
        ]),
    ...(ungrouped === 0
      ? []
      : [`${plural(ungrouped, "more failure")} with other causes: only ${groups.length} causes are kept.`]),
  ];
  return texts.flatMap((text) => [
    "",
    ...wrapText(styles.yellow(text), { width, indent: "    ", first: `  ${symbols.warning} ` }),
  ]);
}
