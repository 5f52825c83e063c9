import { createHash } from "node:crypto";
import { CATEGORIES, type Category, CHECK_SEVERITIES, SCORE_PAGE } from "../../checks/check.ts";
import type { RecordedExchange } from "../../recording/recording.ts";
import { listNames, plural } from "../../terminal/wording.ts";
import { gotText, rawAnswer, sentText, withoutPasswords } from "../excerpt.ts";
import {
  type CheckReport,
  costTogether,
  coverageText,
  type FindingEntry,
  groupChecks,
  percent,
  type Report,
  scoreText,
  seconds,
  type UntestedPart,
  untestedCommand,
  untestedNote,
  untestedText,
} from "../report.ts";
import { embeddedJson, html, Markup, sentence } from "./markup.ts";
import { PAGE_STYLE } from "./style.ts";

/** Options of `htmlReport`. */
interface HtmlOptions {
  /** How a finding can be seen again. @default it is left out */
  readonly toCommandLine?: ToCommandLine | undefined;
}

/** Nothing may be loaded, run or sent; the one style is known by its hash. */
const CONTENT_POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(PAGE_STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'`;

/** The report as one HTML file that needs nothing else, and no script. */
export function htmlReport(report: Report, { toCommandLine }: HtmlOptions = {}): string {
  const page: PageContext = { report, toCommandLine };
  const { yours, sdk, known, forced, unscored, passed, untested, skipped } = groupChecks(report);
  const { exchanges: _, ...data } = report;
  const clean = yours.length + sdk.length + known.length === 0;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(CONTENT_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${scoreText(report)} · ${report.target.server.name || "MCP server"}</title>
<style>${new Markup(PAGE_STYLE)}</style>
</head>
<body>
<main>
${pageHeader(report)}
${report.untested.map((part) => untestedMarkup(part, report))}
${categoryBars(report)}
${firstSteps(report)}
<h2>Findings</h2>
${clean ? html`<p>Nothing found${report.untested.length > 0 ? " in what was tested" : ""}.</p>` : ""}
${yours.map((entry, at) => findingDetails(entry, page, at === 0))}
${foldedFindings("Comes with your SDK", sdk, page)}
${foldedFindings("Known, listed in your baseline", known, page)}
${foldedFindings("Forced by another document, not scored", forced, page)}
${foldedFindings("On trial or for information, not scored", unscored, page)}
${foldedRows("Passed", passed, ({ title }) => title)}
${foldedRows("Not tested", untested, ({ message = "", option }) => (option ? `${message} (${option})` : message))}
${foldedRows("Not applicable, or left out", skipped, ({ message }) => message ?? "")}
${report.stale.length === 0 ? "" : html`<p>Your baseline lists findings that are gone: ${report.stale.join(", ")}.</p>`}
${probeManners(report)}
<footer class="small soft"><p>Made by recourse ${report.version} in ${seconds(report.durationMs)}, ${report.startedAt}.</p></footer>
</main>
<script type="application/json" id="recourse-report">${embeddedJson(data)}</script>
</body>
</html>
`;
  return document.text;
}

function foldedFindings(name: string, entries: readonly FindingEntry[], page: PageContext): Markup | undefined {
  if (entries.length === 0) return undefined;
  const cost = costTogether(entries);
  return html`<details><summary class="fold"><span>${name} (${entries.length})</span><span class="cost">${
    cost > 0 ? `−${percent(cost)}` : ""
  }</span></summary><div class="body">${entries.map((entry) => findingDetails(entry, page))}</div></details>
`;
}

function foldedRows(
  name: string,
  checks: readonly CheckReport[],
  toText: (check: CheckReport) => string,
): Markup | undefined {
  if (checks.length === 0) return undefined;
  return html`<details><summary class="fold"><span>${name} (${checks.length})</span></summary><div class="body"><ul class="plain">${checks.map(
    (check) => html`<li><code>${check.id}</code><span>${sentence(toText(check))}</span></li>`,
  )}</ul></div></details>
`;
}

/** How a finding can be seen again, such as a curl line. */
type ToCommandLine = (exchange: RecordedExchange) => string | undefined;

/** What the parts of a page need. */
interface PageContext {
  readonly report: Report;
  readonly toCommandLine?: ToCommandLine | undefined;
}

/** The longest text of each side. */
const MAX_SIDE = 2000;

/** One finding: a line that opens to the evidence, the reason, the fix and the consequences. */
function findingDetails({ check, also }: FindingEntry, page: PageContext, open = false): Markup {
  const { id, severity, message, cost, source, state } = check;
  return html`<details id="${id}"${open ? html` open` : ""}>
<summary class="finding"><span class="severity ${severity}">${state === "preview" ? "preview" : severity}</span>
<span class="what"><code>${id}</code><br>${sentence(message ?? "")}</span>
<span class="cost">${cost === undefined || cost === 0 ? "" : `−${percent(cost)}`}</span></summary>
<div class="body">${[
    check.reason === undefined ? undefined : html`<h3>Why it is listed</h3><p>${check.reason}</p>`,
    evidenceMarkup(check, page),
    html`<h3>Why it matters</h3><p>${sentence(check.why)}</p>`,
    fixMarkup(check),
    consequencesMarkup(also),
    html`<p class="small soft">${[source === "sdk" ? "Comes with the SDK" : "Yours", erasText(check, page.report)]
      .filter((part) => part !== undefined)
      .join(" · ")} · <a href="${check.fix?.docs ?? ""}">About this check</a></p>`,
  ]}</div>
</details>
`;
}

function erasText({ eras: failed = [] }: CheckReport, { target }: Report): string | undefined {
  if (failed.length === 0) return undefined;
  return failed.length === target.revisions.length && failed.length > 1
    ? "in both eras"
    : `in MCP ${failed.join(", ")}`;
}

function evidenceMarkup(
  { evidence: ids = [] }: CheckReport,
  { report, toCommandLine }: PageContext,
): Markup | undefined {
  const [exchange] = ids.flatMap((id) => report.exchanges.find((one) => one.id === id) ?? []);
  if (exchange === undefined) return undefined;
  const more =
    ids.length > 1
      ? html`<p class="small soft">${ids.length - 1} more: ${ids.slice(1, 6).join(", ")}${ids.length > 6 ? " …" : ""}</p>`
      : "";
  const again = toCommandLine?.(exchange);
  return html`<div class="sides"><div><h3>Sent</h3><pre>${boundSide(sentText(exchange))}</pre></div>
<div><h3>Got</h3><pre>${boundSide(evidenceText(exchange))}</pre></div></div>
${again === undefined ? "" : html`<h3>Reproduce</h3><pre class="command">${boundSide(again)}</pre>`}${more}`;
}

/** The answer in short, and the whole of it if that says more. */
function evidenceText(exchange: RecordedExchange): string {
  const raw = rawAnswer(exchange);
  const short = gotText(exchange);
  return raw === undefined || raw.trim() === "" || short.includes(raw.trim())
    ? short
    : `${short}\n\n${withoutPasswords(raw)}`;
}

function fixMarkup({ fix }: CheckReport): Markup | undefined {
  if (fix === undefined) return undefined;
  return html`<h3>Fix</h3><p>${sentence(fix.text)}</p>${fix.code === undefined ? "" : html`<pre class="line">${fix.code}</pre>`}`;
}

function consequencesMarkup(also: readonly CheckReport[]): Markup | undefined {
  if (also.length === 0) return undefined;
  return html`<h3>Consequences, not scored</h3><ul>${also.map(
    (one) => html`<li><a href="${one.fix?.docs ?? ""}"><code>${one.id}</code></a> ${sentence(one.message ?? "")}</li>`,
  )}</ul>`;
}

function boundSide(text: string): string {
  return text.length <= MAX_SIDE ? text : `${text.slice(0, MAX_SIDE)}…`;
}

/** What was not tested, and the command that tests it. */
function untestedMarkup(part: UntestedPart, report: Report): Markup {
  const command = untestedCommand(part, report);
  const costs = report.checks.some(({ id, cost }) => cost !== undefined && part.checks.includes(id));
  return html`<aside class="untested"><p><strong>${untestedText(part, report)}</strong>${
    costs ? " They count as not passed." : ""
  }</p>${command === undefined ? "" : html`<p class="small soft">Test them:</p><pre class="line">${command}</pre>`}${
    untestedNote(part) === undefined ? "" : html`<p class="small soft">${untestedNote(part)}</p>`
  }</aside>
`;
}

/** The score, the server, and how much was looked at. */
function pageHeader(report: Report): Markup {
  const { target, score, atMost, grade, set, startedAt } = report;
  const where = target.url ?? target.command?.join(" ") ?? "";
  return html`<header class="grade-${grade.charAt(0)}">${scoreRing({ score, atMost, grade })}
<div><p class="small soft">How this MCP server fails</p><h1>${target.server.name || "Unnamed server"} ${target.server.version}</h1>
<p class="small">${where}</p>
<p class="small soft">${target.transport} · MCP ${target.revisions.join(", ")} · ${plural(target.tools, "tool")}, ${target.readOnlyTools} read-only</p>
${atMost > score ? html`<p class="small">At least ${score} points, at most ${atMost} once all is tested.</p>` : ""}
<p class="small soft">${coverageText(report)} · <a href="${SCORE_PAGE}">set ${set}</a> · ${startedAt.slice(0, 10)}</p>
</div></header>
${report.interrupted ? html`<p><strong>The probe was ended early, so findings may be missing.</strong></p>` : ""}`;
}

const RADIUS = 52;
const ROUND = 2 * Math.PI * RADIUS;

/** The score as a ring. What is not sure is drawn lighter. */
function scoreRing({ score, atMost, grade }: Pick<Report, "score" | "atMost" | "grade">): Markup {
  const length = ((ROUND * score) / 100).toFixed(1);
  const possible = ((ROUND * atMost) / 100).toFixed(1);
  const range = atMost > score ? `, at most ${atMost}` : "";
  return html`<svg class="ring" viewBox="0 0 120 120" role="img" aria-label="Score ${score} of 100, grade ${grade}${range}">
<circle class="track" cx="60" cy="60" r="${RADIUS}" fill="none" stroke-width="9"/>
${
  atMost > score
    ? html`<circle class="possible" cx="60" cy="60" r="${RADIUS}" fill="none" stroke-width="9" stroke-dasharray="${possible} ${ROUND.toFixed(1)}" transform="rotate(-90 60 60)"/>
`
    : ""
}<circle class="value" cx="60" cy="60" r="${RADIUS}" fill="none" stroke-width="9" stroke-linecap="${score === 0 ? "butt" : "round"}" stroke-dasharray="${length} ${ROUND.toFixed(1)}" transform="rotate(-90 60 60)"/>
<text class="${grade === "?" ? "range" : "number"}" x="60" y="66">${grade === "?" ? `${score}–${atMost}` : score}</text><text class="letter" x="60" y="88">${grade}</text></svg>`;
}

/** One bar for each category: how many of its checks passed. */
function categoryBars(report: Report): Markup {
  return html`<ul class="bars">${CATEGORIES.map((category) => categoryBar(category, report))}</ul>`;
}

function categoryBar(category: Category, { checks }: Report): Markup {
  const own = checks.filter((check) => check.category === category);
  const passed = own.filter(({ state }) => state === "pass");
  const failed = own.filter(({ state }) => state === "fail" || state === "known" || state === "follows");
  const unseen = own.filter(({ state }) => state === "untested").length;
  const applied = passed.length + failed.length + unseen;
  const worst = CHECK_SEVERITIES.find((severity) => failed.some((one) => one.severity === severity));
  const good = applied === 0 ? 0 : (passed.length / applied) * 100;
  const tested = applied === 0 ? 0 : 100 - (unseen / applied) * 100;
  return html`<li><div><span>${category}</span><span class="soft">${
    applied === 0 ? "–" : `${passed.length} of ${applied}`
  }</span></div><svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="none" width="100" height="6"/><rect class="${worst ?? "good"}" width="${tested.toFixed(1)}" height="6"/><rect class="good" width="${good.toFixed(1)}" height="6"/></svg></li>`;
}

const MAX_STEPS = 5;

/** What to do, the most points first. */
function firstSteps({ fixes }: Report): Markup | undefined {
  if (fixes.length === 0) return undefined;
  return html`<h2>What to do first</h2><ol class="steps">${fixes
    .slice(0, MAX_STEPS)
    .map(
      ({ text, code, cures, points }) =>
        html`<li><p>${sentence(text)}</p><span class="points">${
          points > 0 ? `+${plural(points, "point")} at least` : ""
        }</span>${code === undefined ? "" : html`<pre class="line">${code}</pre>`}<p class="small soft">fixes ${listNames(cures)}</p></li>`,
    )}</ol>`;
}

/** Which tools were called, and which were not. */
function probeManners({ called, calledWriters, spared, target }: Report): Markup {
  return html`<h2>How it was probed</h2>
<p>${
    calledWriters.length === 0
      ? "Valid arguments went only to tools that say they only read. No other tool was called."
      : `By your choice, tools that may write got valid arguments: ${calledWriters.join(", ")}.`
  }</p>
<p>Tools called: ${called.length === 0 ? "none" : called.join(", ")}.</p>
${
  spared.length === 0
    ? ""
    : html`<details><summary class="fold"><span>${plural(spared.length, "tool")} not called</span></summary><div class="body"><ul class="plain">${spared.map(
        ({ tool, because }) => html`<li><code>${tool}</code><span>${because}</span></li>`,
      )}</ul></div></details>`
}
${target.unspoken.map(({ revision, because }) => html`<p>MCP ${revision} was not probed: ${because}</p>`)}`;
}
