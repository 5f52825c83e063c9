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
      "A consequence is shown beneath its cause and costs nothing beside it. It is one only if every exchange that shows it also shows the cause, or went to the same tool in the same way, and if it is no worse than the cause. If the consequences alone would cost more than the cause, the cause costs that much. So fixing one finding never lowers the score.",
      "Previews and information cost nothing.",
      "Findings that your baseline lists as `known` are scored. Those that it lists as `forced`, because another document asks for that behaviour, are not, and are shown apart.",
    ]),
    "## Not seen is not passed",
    "A check that was not run is one of three things:",
    table(
      ["Kind", "What it means", "What it does"],
      [
        [
          "not applicable",
          "The server has nothing of the kind: no resources, no sign-in, another transport.",
          "Nothing.",
        ],
        [
          "not tested",
          "There is something, but the probe was not allowed or able to look.",
          "It lowers the coverage. If annotations of tools are the reason, it also costs points.",
        ],
        [
          "left out",
          "You left it out with `--only` or `--skip`.",
          `Nothing; with less than ${MIN_COVERAGE} % of the checks run, the grade has a question mark.`,
        ],
      ],
    ),
    "**Deleting `readOnlyHint` never raises a score.** The probe calls only tools that say they only read. A server whose tools say " +
      "nothing would hide every defect of those tools. So a tool counts as not tested if nothing but its annotations keeps it from " +
      "being called: it has no `readOnlyHint`, or it says that it changes something although its name says that it only reads " +
      "(`get_…`, `list_…`). Every check that looks at calls of tools then counts as not passed and takes its share, even if it " +
      "passed for other tools.",
    "Nothing less would do: a server that fails all of these checks and a server that passes them answer alike once their tools are " +
      "not called. The score is what the server is sure to have, so it is that of the worse one. Tools that do not count: those " +
      "that say or show by their name that they change something, those that you did not name with `--tools`, and those beyond the " +
      "six that a probe calls.",
    "The report therefore has two figures. `score` is what the server is sure to have, `atMost` is the score if everything that was " +
      "not tested passes. If both have the same letter, that is the grade. If not, the grade has a question mark, such as `C?`; below 60 points it is `?` alone, and the report shows both figures, such as `0 to 83`: nobody knows. The " +
      "report names the option that tests more: `--by-name`, `--tools a,b`, `--allow-prompts` or `--slow`.",
    "The part of the applicable checks that was tested caps the score:",
    table(
      ["Tested", "At most"],
      COVERAGE_CAPS.map(([tested, score]) => [
        tested === 0 ? "less" : `${tested} % or more`,
        score === 100 ? "no cap" : `${score} ${gradeLetter(score)}`,
      ]),
    ),
    `If the server has tools and none was called, the score is at most ${NO_CALL_CAP} ${gradeLetter(NO_CALL_CAP)}, whatever the reason.`,
    "## What to do first",
    "The report orders fixes by the points that they win **at least**. A fix claims a finding only if it changes every answer that " +
      "shows it: `guard(server)` does not change what the HTTP edge answers. Caps stay, and so does what was not tested.",
    "## Sets",
    `The scored checks have a number: this is set ${NEWEST_SET}. A check that is added later is a preview in earlier sets. \`--set 1\` keeps judging by ` +
      "set 1, so that your score changes only when your server does: there, checks that were not tested cost nothing, the grade " +
      `has a question mark if less than ${MIN_COVERAGE} % of all checks applied, and consequences are found by the checks alone. The severity of a ` +
      "check never rises within a set.",
    "## An example",
    "A server on Express answers broken JSON with a page that shows a stack trace:",
    table(["Finding", "Severity", "Takes", "Left"], rows),
    `That is **${score} ${gradeLetter(score)}**, if all checks that apply were tested. Three more findings ` +
      `(${EXAMPLE[0].consequences.map(code).join(", ")}) come from the same page, so they are consequences and cost nothing. ` +
      `Fixing all four gives **${fixed} ${gradeLetter(fixed)}**.`,
    "Severities and shares are chosen, not measured: they ask how likely a real client meets the failure, and what it costs then.",
  ]);
}

/** What is left of 100 points, before it is rounded down at the end. */
function leftAfter(severities: readonly CheckSeverity[]): string {
  return severities.reduce((left, severity) => left * (1 - SHARES[severity] / 100), 100).toFixed(2);
}
