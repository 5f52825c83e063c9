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
  critical: "Secrets get out, sessions end, or answers never arrive.",
  high: "Clients do the wrong thing, or cannot go on.",
  medium: "Programs and models work around it, and pay for it.",
  low: "Untidy; a client rarely meets it.",
  info: "Worth knowing; it costs nothing.",
} as const satisfies Record<CheckSeverity, string>;

const CATEGORY_MEANINGS = {
  leak: "What failures give away",
  identity: "Whether a failure says what it is",
  consistency: "Whether the same failure looks the same",
  validation: "How wrong arguments are refused",
  truthfulness: "Whether success is success",
  channel: "Whether a failure arrives where it is looked for",
  protocol: "What the protocol asks for",
  robustness: "What happens to broken, deep and many messages",
  stdio: "How a program on stdin and stdout behaves",
  auth: "How credentials and foreign callers are refused",
  retry: "Whether a caller learns what may be repeated",
  resources: "How resources, prompts and completions are refused",
  size: "How long answers are, and what is in them",
} as const satisfies Record<Category, string>;

/** The index of all checks by category. */
export function checkIndex(checks: readonly ProbeCheck[]): string {
  const shown = CATEGORIES.filter((category) => checks.some((check) => check.category === category));
  return page([
    GENERATED,
    "# Checks",
    `What \`recourse probe\` checks: ${checks.length} rules about the failures of an MCP server. Ids never change their meaning.`,
    "A finding is *yours*, or it *comes with the SDK*: then every server on the official SDK has it, and one line mends it. " +
      "A *preview* is a rule on trial: it is shown and not scored. A *consequence* is shown beneath its cause and not scored. " +
      "[How the score is made](../cli/score.md)",
    "## Severity",
    table(
      ["Severity", "Takes", "Meaning"],
      CHECK_SEVERITIES.map((severity) => [severity, `${SHARES[severity]} %`, SEVERITY_MEANINGS[severity]]),
    ),
    ...shown.flatMap((category) => [
      `## ${category}`,
      `${CATEGORY_MEANINGS[category]}.`,
      table(
        ["Check", "Asks for", "Severity", "From"],
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
        ["Comes from", check.source === "sdk" ? "the official SDK, under every server" : "your server"],
        ["Transport", check.transport === undefined ? "stdio and HTTP" : TRANSPORTS[check.transport]],
        ["MCP", check.revisions === undefined ? "all revisions" : check.revisions.join(", ")],
      ],
    ),
    "## When it fails",
    failsWhen,
    ...(notCounted === undefined ? [] : ["What is not counted:", notCounted]),
    "## Fix",
    fix.text,
    fix.code === undefined ? undefined : `\`\`\`ts\n${fix.code}\n\`\`\``,
    ...(follows.length === 0
      ? []
      : [
          "## Consequence of",
          `If one of these fails too, this finding is shown beneath it and not scored: ${links(follows)}.`,
        ]),
    ...(consequences.length === 0
      ? []
      : ["## Consequences", `These findings often follow from this one: ${links(consequences.map((one) => one.id))}.`]),
    "## See it",
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
