import {
  CATEGORIES,
  type Category,
  CHECK_SEVERITIES,
  type CheckSeverity,
  type ProbeCheck,
} from "../../packages/cli/src/checks/check.ts";
import { SHARES } from "../../packages/cli/src/judge/score.ts";
import { code, codeLink, GENERATED, page, table } from "./markdown.ts";

const SEVERITY_MEANINGS = {
  critical: "Secrets leak, sessions end, or answers never arrive.",
  high: "Clients do the wrong thing, or cannot continue.",
  medium: "Programs and models can work around it, at a cost.",
  low: "A flaw that clients rarely notice.",
  info: "Good to know; it costs no points.",
} as const satisfies Record<CheckSeverity, string>;

const CATEGORY_MEANINGS = {
  leak: "What failures reveal",
  identity: "Whether a failure says what it is",
  consistency: "Whether the same failure looks the same",
  validation: "How wrong arguments are refused",
  truthfulness: "Whether success is success",
  channel: "Whether a failure arrives where clients look for it",
  protocol: "What the protocol requires",
  robustness: "How the server handles broken, deeply nested and concurrent messages",
  stdio: "How a program behaves on stdin and stdout",
  auth: "How wrong credentials and foreign callers are refused",
  retry: "Whether callers learn which calls they may repeat",
  resources: "How requests for resources, prompts and completions are refused",
  size: "How long answers are, and what they contain",
} as const satisfies Record<Category, string>;

/** The index of all checks by category. */
export function checkIndex(checks: readonly ProbeCheck[]): string {
  const shown = CATEGORIES.filter((category) => checks.some((check) => check.category === category));
  return page([
    GENERATED,
    "# Checks",
    `\`recourse probe\` checks how an MCP server handles failures: ${checks.length} rules, each with its fix. The meaning of an id never changes.`,
    "A finding is either *yours* or *comes with the SDK*: then every server on the official SDK has it, and one line of code fixes it. " +
      "A *preview* is a rule on trial: the report shows it but does not score it. A *consequence* is shown under its cause and not scored. " +
      "[How the score is calculated](../cli/score.md)",
    "## Severity",
    table(
      ["Severity", "Takes", "Meaning"],
      CHECK_SEVERITIES.map((severity) => [severity, `${SHARES[severity]} %`, SEVERITY_MEANINGS[severity]]),
    ),
    ...shown.flatMap((category) => [
      `## ${category}`,
      `${CATEGORY_MEANINGS[category]}.`,
      table(
        ["Check", "Rule", "Severity", "Comes from"],
        checks
          .filter((check) => check.category === category)
          .map((check) => [
            codeLink(check.id, `${check.id}.md`),
            check.title,
            check.preview === true ? `${check.severity}, preview` : check.severity,
            check.source === "sdk" ? "the SDK" : "you",
          ]),
      ),
    ]),
  ]);
}

/** The page about one check. */
export function checkPage(check: ProbeCheck, checks: readonly ProbeCheck[]): string {
  const { id, category, title, failsWhen, notCounted, why, fix, follows = [] } = check;
  const consequences = checks.filter((one) => one.follows?.includes(id) === true);
  return page([
    GENERATED,
    `# ${title.replace(/\.$/, "")}`,
    code(id),
    why,
    table(
      ["", ""],
      [
        ["Category", `[${category}](README.md#${category})`],
        ["Severity", severityText(check)],
        ["Scored", check.preview === true ? "no, it is a preview" : `yes, from set ${check.since ?? 1}`],
        ["Comes from", check.source === "sdk" ? "the official SDK" : "your server"],
        ["Transport", check.transport === undefined ? "stdio and HTTP" : TRANSPORTS[check.transport]],
        ["MCP", check.revisions === undefined ? "all revisions" : check.revisions.join(", ")],
      ],
    ),
    "## When it fails",
    failsWhen,
    ...(notCounted === undefined ? [] : [`**Not counted:** ${notCounted}`]),
    "## Fix",
    fix.text,
    fix.code === undefined ? undefined : `\`\`\`ts\n${fix.code}\n\`\`\``,
    ...(follows.length === 0
      ? []
      : [
          "## Consequence of",
          `If one of these fails too, this finding is shown under it and not scored: ${links(follows)}.`,
        ]),
    ...(consequences.length === 0
      ? []
      : ["## Consequences", `These findings often follow from this one: ${links(consequences.map((one) => one.id))}.`]),
    "## Reproduce",
    `\`\`\`sh\nrecourse probe --only ${id} <url | command…>\n\`\`\``,
  ]);
}

const TRANSPORTS = { stdio: "stdio only", http: "HTTP only" } as const;

function severityText({ severity, severityOn = {} }: ProbeCheck): string {
  const { stdio, remote } = severityOn;
  return [
    severity,
    ...(stdio === undefined ? [] : [`${stdio} over stdio`]),
    ...(remote === undefined ? [] : [`${remote} if the server is not on this machine`]),
  ].join(", ");
}

function links(ids: readonly string[]): string {
  return ids.map((id) => codeLink(id, `${id}.md`)).join(", ");
}
