import type { Terminal } from "../terminal/terminal.ts";
import { padTo } from "../terminal/width.ts";
import { wrap } from "../terminal/wrap.ts";
import { type Group, LIMITS, type Summary } from "./tally.ts";

/** The groups for a person, the most frequent first. */
export function writeSummary(summary: Summary, terminal: Terminal): string {
  const { width, styles } = terminal;
  const { messages, failures, groups } = summary;
  const head = `${plural(messages, "message")}, ${plural(failures, "failure")}${groups.length > 1 ? `, ${groups.length} kinds of them` : ""}`;
  const digits = String(groups[0]?.count ?? 0).length;
  const lines = groups.flatMap((group) => ["", ...groupLines(group, digits, terminal)]);
  const hints = groups.length === 0 ? [] : ["", ...wrap(HINT, { width, indent: "  " }).map(styles.dim)];
  return `\n${wrap(styles.bold(head), { width, indent: "  " }).join("\n")}\n${[...lines, ...notes(summary, terminal), ...hints].join("\n")}\n\n`;
}

const HINT = "--fingerprint <id> shows one group · --to <dialect> writes the failures in another dialect · --json";

function groupLines(group: Group, digits: number, { width, styles, symbols }: Terminal): string[] {
  const { count, kind, reason, channel, sample, leak, tools, fingerprint } = group;
  const name =
    reason === undefined ? styles.yellow("reads like a failure, says success") : `${styles.bold(kind)}  ${reason}`;
  const first = `  ${String(count).padStart(digits)}  `;
  const indent = " ".repeat(first.length);
  const dot = ` ${symbols.dot} `;
  const facts = [
    ...toolFacts(tools),
    ...(group.repeat === undefined ? [] : [`effect ${group.effect}`, `repeat: ${group.repeat}`]),
  ];
  return [
    ...wrap(
      [name, reason === undefined ? "" : channel, styles.dim(fingerprint)].filter((one) => one !== "").join("  "),
      { width, indent, first },
    ),
    ...(sample === undefined ? [] : wrap(`"${onOneLine(sample)}"`, { width, indent })),
    ...(leak === undefined
      ? []
      : wrap(styles.red(`leak: the text shows ${leak}, so it is left out here`), { width, indent })),
    ...(facts.length === 0 ? [] : wrap(facts.join(dot), { width, indent }).map(styles.dim)),
  ];
}

/** Line breaks and indents of JSON in a text only take room here. Its quotation marks become single ones, so that its end is seen. */
function onOneLine(sample: string): string {
  return sample.replaceAll(/(?:\\n|\s)+/g, " ").replaceAll('"', "'");
}

function toolFacts(tools: Group["tools"]): string[] {
  const [first, ...more] = Object.entries(tools).toSorted(([, a], [, b]) => b - a);
  if (first === undefined) return [];
  return [`tool ${first[0]}${more.length === 0 ? "" : ` and ${more.length} more`}`];
}

/** One group in full. */
export function writeGroup(group: Group, terminal: Terminal): string {
  const { width, styles } = terminal;
  const tools = Object.entries(group.tools).toSorted(([, a], [, b]) => b - a);
  const facts: (readonly [string, string])[] = [
    ["count", String(group.count)],
    ["channel", group.channel],
    ...(group.dialect === undefined ? [] : [["dialect", group.dialect] as const]),
    ...(group.effect === undefined ? [] : [["effect", group.effect] as const]),
    ...(group.repeat === undefined ? [] : [["repeat", group.repeat] as const]),
    ...(group.leak === undefined ? [] : [["leak", `the text shows ${group.leak}, so it is left out here`] as const]),
    ...(group.sample === undefined ? [] : [["text", group.sample] as const]),
    ...tools.map(([name, count], at) => [at === 0 ? "tools" : "", `${name} (${count})`] as const),
  ];
  const label = Math.max(...facts.map(([name]) => name.length)) + 2;
  const lines = facts.flatMap(([name, value]) =>
    wrap(value, { width, indent: " ".repeat(label + 2), first: `  ${styles.dim(padTo(name, label))}` }),
  );
  const title = `${styles.bold(group.kind)}  ${group.reason ?? "reads like a failure, says success"}  ${styles.dim(group.fingerprint)}`;
  const next = group.reason === undefined ? [] : ["", `  ${styles.cyan(`recourse explain ${group.reason}`)}`];
  return `\n  ${title}\n\n${[...lines, ...next].join("\n")}\n\n`;
}

/** What was not read or not kept. Silence about it would look like completeness. */
function notes({ ungrouped, unreadable, messages }: Summary, { width, styles, symbols }: Terminal): string[] {
  const texts = [
    ...(messages === 0
      ? ["Nothing here is a message of MCP: JSON-RPC, a tool result, an HTTP answer or a recording."]
      : []),
    ...(ungrouped === 0
      ? []
      : [`${plural(ungrouped, "more failure")} of other kinds: only ${LIMITS.groups} kinds are kept.`]),
    ...(unreadable === 0 ? [] : [`${plural(unreadable, "line")} could not be read: malformed, or longer than 16 MB.`]),
  ];
  return texts.flatMap((text) => [
    "",
    ...wrap(styles.yellow(text), { width, indent: "    ", first: `  ${symbols.warning} ` }),
  ]);
}

function plural(count: number, one: string): string {
  return `${count.toLocaleString("en-US")} ${one}${count === 1 ? "" : "s"}`;
}
