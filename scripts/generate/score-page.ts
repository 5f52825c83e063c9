import type { CheckSeverity, ProbeCheck } from "../../packages/cli/src/checks/check.ts";
import {
  COVERAGE_CAPS,
  CRITICAL_CAP,
  computeScore,
  findingCost,
  GRADES,
  gradeLetter,
  MIN_COVERAGE,
  NEWEST_SET,
  NO_CALL_CAP,
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

/** How the score is calculated, with an example that is computed here. */
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
  const score = computeScore(groups.map(({ group }) => group));
  const fixed = computeScore(groups.slice(1).map(({ group }) => group));
  const rows = groups.map(({ id, group }, at) => [
    codeLink(id, `../checks/${id}.md`),
    group.severity,
    `${Math.round(findingCost(group) * 100)} %`,
    leftAfter(groups.slice(0, at + 1).map((one) => one.group.severity)),
  ]);
  return page([
    GENERATED,
    "# How the score is calculated",
    "`recourse probe` gives a server 0 to 100 points. The score starts at 100, and **each finding takes a share of what is left**:",
    table(
      ["Severity", "Takes"],
      (Object.keys(SHARES) as CheckSeverity[]).map((severity) => [severity, `${SHARES[severity]} %`]),
    ),
    `The score is 100 × (1 − share) × (1 − share) …, rounded down. With a critical finding it is at most ${CRITICAL_CAP}.`,
    table(
      ["Grade", "From"],
      GRADES.map(([letter, least]) => [letter, String(least)]),
    ),
    "Why not an average of all checks? With an average, every new check changes every score, and sixty passed checks hide one leak. " +
      "With shares, a new check does not affect a server that passes it, the order does not matter, and each finding has its own cost.",
    "## What counts",
    list([
      "A check fails once, no matter how many tools fail it. Both eras of the protocol share one score.",
      "A consequence is shown under its cause and costs nothing extra. A finding is a consequence only if every exchange that shows it also shows the cause, or went to the same tool in the same way, and if it is not more severe than the cause. If the consequences alone would cost more than the cause, the cause costs that much. So fixing one finding never lowers the score.",
      "Previews and findings of severity info cost nothing.",
      "Findings that your baseline lists as `known` are scored. Findings that it lists as `forced`, because another document requires that behaviour, are not scored, and the report shows them separately.",
    ]),
    "## Untested checks",
    "A check that did not run falls into one of three groups:",
    table(
      ["Group", "Meaning", "Influence on the score"],
      [
        ["not applicable", "The server has nothing to check: no resources, no sign-in, another transport.", "None."],
        [
          "not tested",
          "There is something to check, but the probe was not allowed or not able to check it.",
          "It lowers the coverage. If tool annotations are the reason, it also costs points.",
        ],
        [
          "left out",
          "You left it out with `--only` or `--skip`.",
          `None. If less than ${MIN_COVERAGE} % of the checks ran, the grade has a question mark.`,
        ],
      ],
    ),
    "**Deleting `readOnlyHint` never raises a score.** The probe calls only tools that are marked as read-only. A server without these marks " +
      "would hide every defect of its tools. So a tool counts as not tested if only its annotations keep it from " +
      "being called: it has no `readOnlyHint`, or its annotations say that it changes something although its name says that it only reads " +
      "(`get_…`, `list_…`). Every check that needs tool calls then counts as not passed and takes its share, even if it " +
      "passed for other tools.",
    "This strictness is necessary: if the tools are not called, a server that fails all of these checks looks the same as a server that " +
      "passes them. The score is what the server has at least, so it is the score of the worse one. Some tools do not count: tools " +
      "whose annotations or names say that they change something, tools that you did not name with `--tools`, and tools beyond the " +
      "six that a probe calls.",
    "The report therefore has two figures. `score` is what the server has at least, and `atMost` is the score if everything that was " +
      "not tested passes. If both have the same letter, that letter is the grade. Otherwise the grade has a question mark, such as `C?`. Below 60 points the grade is only `?`, and the report shows both figures, such as `0 to 83`. The " +
      "report names the option that tests more: `--by-name`, `--tools a,b`, `--allow-prompts` or `--slow`.",
    "The share of applicable checks that were tested caps the score:",
    table(
      ["Tested", "At most"],
      COVERAGE_CAPS.map(([tested, score]) => [
        tested === 0 ? "less" : `${tested} % or more`,
        score === 100 ? "no cap" : `${score} ${gradeLetter(score)}`,
      ]),
    ),
    `If the server has tools and none was called, the score is at most ${NO_CALL_CAP} ${gradeLetter(NO_CALL_CAP)}, whatever the reason.`,
    "## Which fix comes first",
    "The report sorts fixes by the points that they gain **at least**. A fix counts for a finding only if it changes every answer that " +
      "shows it: for example, `guard(server)` does not change the answers of the HTTP edge. A fix does not lift caps and does not make untested checks count as passed.",
    "## Sets",
    `Scored checks are grouped into numbered sets; the newest is set ${NEWEST_SET}. A check that is added later is a preview in earlier sets. \`--set 1\` keeps scoring by ` +
      "set 1, so that your score changes only when your server changes. In set 1, checks that were not tested cost nothing, the grade " +
      `has a question mark if less than ${MIN_COVERAGE} % of all checks applied, and only the checks decide what is a consequence, not the exchanges. The severity of a ` +
      "check never rises within a set.",
    "## Example",
    "A server on Express answers broken JSON with a page that shows a stack trace:",
    table(["Finding", "Severity", "Takes", "Left"], rows),
    `That is **${score} ${gradeLetter(score)}**, if all applicable checks were tested. Three more findings ` +
      `(${EXAMPLE[0].consequences.map(code).join(", ")}) come from the same page, so they are consequences and cost nothing. ` +
      `Fixing all four gives **${fixed} ${gradeLetter(fixed)}**.`,
    "Severities and shares are chosen, not measured. They reflect how likely a real client is to run into the failure, and what the failure costs then.",
  ]);
}

/** What is left of 100 points, before it is rounded down at the end. */
function leftAfter(severities: readonly CheckSeverity[]): string {
  return severities.reduce((left, severity) => left * (1 - SHARES[severity] / 100), 100).toFixed(2);
}
