import { CATEGORIES } from "../checks/check.ts";
import { escapeHtml, html, Markup } from "./html/markup.ts";
import type { CheckReport, Report } from "./report.ts";

/**
 * The report as JUnit XML, as Jenkins and GitLab read it: a suite for each category, a case for each check. Findings that
 * count are failures. What your baseline lists, what follows from another finding and what was not tested is skipped,
 * with the reason. A finding that is not scored passes with a note.
 */
export function junitReport(report: Report): string {
  const { score, grade, set, checks, durationMs, startedAt, target } = report;
  const suites = CATEGORIES.flatMap((category) => {
    const own = checks.filter((check) => check.category === category);
    return own.length === 0 ? [] : [{ category, own }];
  });
  const time = (durationMs / 1000).toFixed(3);
  const document = html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="recourse probe" ${totals(checks)} time="${time}">
${suites.map(
  ({ category, own }) => html`  <testsuite name="${category}" ${totals(own)} time="0" timestamp="${startedAt}">
    <properties>
      <property name="score" value="${score}"/>
      <property name="grade" value="${grade}"/>
      <property name="set" value="${set}"/>
      <property name="server" value="${xmlText(`${target.server.name} ${target.server.version}`.trim())}"/>
    </properties>
${own.map(testCase)}  </testsuite>
`,
)}</testsuites>
`;
  return document.text;
}

function testCase(check: CheckReport): Markup {
  const { id, category, title } = check;
  return html`    <testcase classname="recourse.${category}" name="${id}: ${title}" time="0">${caseContent(check)}</testcase>
`;
}

/** What a case says about its check. Undefined if it passed. */
function caseContent(check: CheckReport): Markup | undefined {
  const { state, severity, message = check.title, reason = "" } = check;
  switch (state) {
    case "pass":
      return undefined;
    case "fail":
      // Information is never a failure of a build.
      return severity === "info" ? systemOut(`For information: ${message}`) : failureElement(check);
    case "preview":
      return systemOut(`Not scored yet: ${message}`);
    case "untested":
      return skippedElement(`Not tested: ${message}${check.option === undefined ? "" : ` Try ${check.option}.`}`);
    case "skipped":
      return skippedElement(message);
    case "known":
      return skippedElement(`Known, in your baseline: ${reason}. ${message}`);
    case "forced":
      return skippedElement(`Forced by another document: ${reason}. ${message}`);
    case "follows":
      return skippedElement(`Follows from ${check.causedBy ?? "another finding"}: ${message}`);
    default:
      return state satisfies never;
  }
}

function failureElement({ severity, message, title, why, fix, evidence = [] }: CheckReport): Markup {
  const lines = [
    message ?? title,
    "",
    `Why it matters: ${why}`,
    ...(fix === undefined ? [] : [`Fix: ${fix.text}`, `More: ${fix.docs}`]),
    ...(evidence.length === 0 ? [] : [`Seen in: ${evidence.join(", ")}`]),
  ];
  return html`<failure type="${severity}" message="${xmlText(message ?? title)}">${xmlText(lines.join("\n"))}</failure>`;
}

function skippedElement(reason: string): Markup {
  return html`<skipped message="${xmlText(reason)}"/>`;
}

function systemOut(text: string): Markup {
  return html`<system-out>${xmlText(text)}</system-out>`;
}

function totals(checks: readonly CheckReport[]): Markup {
  const content = checks.map((check) => caseContent(check)?.text ?? "");
  const count = (start: string) => content.filter((text) => text.startsWith(start)).length;
  return html`tests="${checks.length}" failures="${count("<failure")}" errors="0" skipped="${count("<skipped")}"`;
}

/** Text that XML can hold: two code points are forbidden even as references, others are written out by the escape of HTML. */
function xmlText(text: string): Markup {
  return new Markup(escapeHtml(text.replaceAll(/[\ufffe\uffff]/g, "\ufffd")));
}
