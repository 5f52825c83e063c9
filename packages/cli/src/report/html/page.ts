import { createHash } from "node:crypto";
import type { CheckReport, Report } from "../report.ts";
import { costTogether, type FindingEntry, percent, seconds, sectionsOf } from "../sections.ts";
import { type CommandLineOf, findingDetails, type PageContext } from "./finding.ts";
import { embeddedJson, html, Markup, sentence } from "./markup.ts";
import { bars, firstSteps, header, manners } from "./overview.ts";
import { STYLE } from "./style.ts";

/** Options of `htmlReport`. */
export interface HtmlOptions {
  /** How a finding can be seen again. @default it is left out */
  readonly commandLineOf?: CommandLineOf | undefined;
}

/** Nothing may be loaded, run or sent; the one style is known by its hash. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'`;

/** The report as one HTML file that needs nothing else, and no script. */
export function htmlReport(report: Report, { commandLineOf }: HtmlOptions = {}): string {
  const page: PageContext = { report, commandLineOf };
  const { yours, sdk, known, forced, unscored, passed, skipped } = sectionsOf(report);
  const { exchanges: _, ...data } = report;
  const clean = yours.length + sdk.length + known.length === 0;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${report.score} ${report.grade} · ${report.target.server.name || "MCP server"}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
${header(report)}
${bars(report)}
${firstSteps(report)}
<h2>Findings</h2>
${clean ? html`<p>Nothing found.</p>` : ""}
${yours.map((entry, at) => findingDetails(entry, page, at === 0))}
${fold("Comes with your SDK", sdk, page)}
${fold("Known, listed in your baseline", known, page)}
${fold("Forced by another document, not scored", forced, page)}
${fold("On trial or for information, not scored", unscored, page)}
${rows("Passed", passed, ({ title }) => title)}
${rows("Not applicable", skipped, ({ message }) => message ?? "")}
${report.stale.length === 0 ? "" : html`<p>Your baseline lists findings that are gone: ${report.stale.join(", ")}.</p>`}
${manners(report)}
<footer class="small soft"><p>Made by recourse ${report.version} in ${seconds(report.durationMs)}, ${report.startedAt}.</p></footer>
</main>
<script type="application/json" id="recourse-report">${embeddedJson(data)}</script>
</body>
</html>
`;
  return document.text;
}

function fold(name: string, entries: readonly FindingEntry[], page: PageContext): Markup | undefined {
  if (entries.length === 0) return undefined;
  const cost = costTogether(entries);
  return html`<details><summary class="fold"><span>${name} (${entries.length})</span><span class="cost">${
    cost > 0 ? `−${percent(cost)}` : ""
  }</span></summary><div class="body">${entries.map((entry) => findingDetails(entry, page))}</div></details>
`;
}

function rows(
  name: string,
  checks: readonly CheckReport[],
  textOf: (check: CheckReport) => string,
): Markup | undefined {
  if (checks.length === 0) return undefined;
  return html`<details><summary class="fold"><span>${name} (${checks.length})</span></summary><div class="body"><ul class="plain">${checks.map(
    (check) => html`<li><code>${check.id}</code><span>${sentence(textOf(check))}</span></li>`,
  )}</ul></div></details>
`;
}
