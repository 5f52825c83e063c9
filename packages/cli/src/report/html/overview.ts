import { CATEGORIES, type Category, SEVERITIES } from "../../checks/check.ts";
import { SCORE_PAGE } from "../docs-url.ts";
import type { Report } from "../report.ts";
import { listed, plural } from "../sections.ts";
import { html, type Markup, sentence } from "./markup.ts";

/** The score, the server, and how much was looked at. */
export function header(report: Report): Markup {
  const { target, score, grade, coverage, set, startedAt } = report;
  const where = target.url ?? target.command?.join(" ") ?? "";
  return html`<header class="grade-${grade.charAt(0)}">${ring(score, grade)}
<div><p class="small soft">How this MCP server fails</p><h1>${target.server.name || "Unnamed server"} ${target.server.version}</h1>
<p class="small">${where}</p>
<p class="small soft">${target.transport} · MCP ${target.revisions.join(", ")} · ${plural(target.tools, "tool")}, ${target.readOnlyTools} read-only</p>
<p class="small soft">${coverage.applied} of ${coverage.of} checks applied · <a href="${SCORE_PAGE}">set ${set}</a> · ${startedAt.slice(0, 10)}</p>
</div></header>
${report.interrupted ? html`<p><strong>The probe was ended early, so findings may be missing.</strong></p>` : ""}`;
}

const RADIUS = 52;
const ROUND = 2 * Math.PI * RADIUS;

function ring(score: number, grade: string): Markup {
  const length = ((ROUND * score) / 100).toFixed(1);
  return html`<svg class="ring" viewBox="0 0 120 120" role="img" aria-label="Score ${score} of 100, grade ${grade}">
<circle class="track" cx="60" cy="60" r="${RADIUS}" fill="none" stroke-width="9"/>
<circle class="value" cx="60" cy="60" r="${RADIUS}" fill="none" stroke-width="9" stroke-linecap="${score === 0 ? "butt" : "round"}" stroke-dasharray="${length} ${ROUND.toFixed(1)}" transform="rotate(-90 60 60)"/>
<text class="number" x="60" y="66">${score}</text><text class="letter" x="60" y="88">${grade}</text></svg>`;
}

/** One bar for each category: how many of its checks passed. */
export function bars(report: Report): Markup {
  return html`<ul class="bars">${CATEGORIES.map((category) => bar(category, report))}</ul>`;
}

function bar(category: Category, { checks }: Report): Markup {
  const own = checks.filter((check) => check.category === category);
  const passed = own.filter(({ state }) => state === "pass");
  const failed = own.filter(({ state }) => state === "fail" || state === "known" || state === "follows");
  const applied = passed.length + failed.length;
  const worst = SEVERITIES.find((severity) => failed.some((one) => one.severity === severity));
  const good = applied === 0 ? 0 : (passed.length / applied) * 100;
  return html`<li><div><span>${category}</span><span class="soft">${
    applied === 0 ? "–" : `${passed.length} of ${applied}`
  }</span></div><svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="${
    applied === 0 ? "none" : (worst ?? "good")
  }" width="100" height="6"/><rect class="good" width="${good.toFixed(1)}" height="6"/></svg></li>`;
}

const MAX_STEPS = 5;

/** What to do, the most points first. */
export function firstSteps({ fixes }: Report): Markup | undefined {
  if (fixes.length === 0) return undefined;
  return html`<h2>What to do first</h2><ol class="steps">${fixes
    .slice(0, MAX_STEPS)
    .map(
      ({ text, code, cures, points }) =>
        html`<li><p>${sentence(text)}</p><span class="points">${
          points > 0 ? `+${plural(points, "point")}` : ""
        }</span>${code === undefined ? "" : html`<pre class="line">${code}</pre>`}<p class="small soft">mends ${listed(cures)}</p></li>`,
    )}</ol>`;
}

/** Which tools were called, and which were not. */
export function manners({ called, calledWriters, spared, target }: Report): Markup {
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
