import type { CheckSeverity, ProbeCheck } from "../../packages/cli/src/checks/check.ts";
import {
  CRITICAL_CAP,
  computeGrade,
  computeScore,
  findingCost,
  GRADES,
  MIN_COVERAGE,
  SHARES,
} from "../../packages/cli/src/judge/score.ts";
import { code, codeLink, GENERATED, list, page, table } from "./markdown.ts";

/** The findings of the worked example: a server on Express, with what came of each. */
const EXAMPLE = [
  { id: "leak-stack", consequences: ["http-error-json", "body-limit", "parse-error-answered"] },
  { id: "deep-json", consequences: [] },
  { id: "invalid-params-code", consequences: [] },
  { id: "failure-machine-readable", consequences: [] },
  { id: "message-sentence", consequences: [] },
  { id: "echo-bounded", consequences: [] },
] as const;

const APPLIED = 56;

/** How the score is made, with an example that is computed here. */
export function scorePage(checks: readonly ProbeCheck[]): string {
  const severityOf = (id: string): CheckSeverity => {
    const check = checks.find((one) => one.id === id);
    if (check === undefined) throw new Error(`the example names ${id}, which is not a check`);
    return check.severity;
  };
  const groups = EXAMPLE.map(({ id, consequences }) => ({
    id,
    group: { severity: severityOf(id), consequences: consequences.map(severityOf) },
  }));
  const coverage = { applied: APPLIED, of: checks.length };
  const score = computeScore(groups.map(({ group }) => group));
  const mended = computeScore(groups.slice(1).map(({ group }) => group));
  const rows = groups.map(({ id, group }, at) => [
    codeLink(id, `../checks/${id}.md`),
    group.severity,
    `${Math.round(findingCost(group) * 100)} %`,
    leftAfter(groups.slice(0, at + 1).map((one) => one.group.severity)),
  ]);
  return page([
    GENERATED,
    "# How the score is made",
    "`recourse probe` gives a server 0 to 100 points. It starts at 100, and **each finding takes a share of what is left**:",
    table(
      ["Severity", "Takes"],
      (Object.keys(SHARES) as CheckSeverity[]).map((severity) => [severity, `${SHARES[severity]} %`]),
    ),
    `The score is 100 × (1 − share) × (1 − share) …, rounded down. With a critical finding it is at most ${CRITICAL_CAP}.`,
    table(
      ["Grade", "From"],
      GRADES.map(([letter, least]) => [letter, String(least)]),
    ),
    "Why not an average of all checks? There, every new check moves every score, and sixty passed checks hide one leak. " +
      "Here a new check cannot touch a server that passes it, the order does not matter, and each finding can say what it costs.",
    "## What counts",
    list([
      "A check fails once, however many tools fail it. Both eras of the protocol share one score.",
      "A consequence is shown beneath its cause and costs nothing beside it. Where the consequences alone would cost more than the cause, the cause costs that much. So mending one finding never lowers the score.",
      "Previews, information, and checks that had nothing to look at cost nothing.",
      `Therefore the report says how many checks applied. Below ${MIN_COVERAGE} % the grade has a question mark, such as \`B?\`: too little was seen.`,
      "Findings that your baseline lists as `known` are scored. Those that it lists as `forced`, because another document asks for that behaviour, are not, and are shown apart.",
    ]),
    "## Sets",
    "The scored checks have a number: this is set 1. A check that is added later starts as a preview and is scored from the next " +
      "set on. `--set 1` keeps judging by set 1, so that your score changes only when your server does. The severity of a check " +
      "never rises within a set.",
    "## An example",
    "A server on Express answers broken JSON with a page that shows a stack trace:",
    table(["Finding", "Severity", "Takes", "Left"], rows),
    `That is **${score} ${computeGrade(score, coverage)}**, with ${coverage.applied} of ${coverage.of} checks applied. Three more findings ` +
      `(${EXAMPLE[0].consequences.map(code).join(", ")}) come from the same page, so they are consequences and cost nothing. ` +
      `Mending ${code("leak-stack")} alone gives **${mended} ${computeGrade(mended, coverage)}**.`,
    "Severities and shares are chosen, not measured: they ask how likely a real client meets the failure, and what it costs then.",
  ]);
}

/** What is left of 100 points, before it is rounded down at the end. */
function leftAfter(severities: readonly CheckSeverity[]): string {
  return severities.reduce((left, severity) => left * (1 - SHARES[severity] / 100), 100).toFixed(2);
}
