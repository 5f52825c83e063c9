import type { Exchange } from "../../recording/recording.ts";
import { gotText, rawAnswer, sentText, withoutPasswords } from "../excerpt.ts";
import type { CheckReport, Report } from "../report.ts";
import { type FindingEntry, percent } from "../sections.ts";
import { html, type Markup, sentence } from "./markup.ts";

/** How a finding can be seen again, such as a curl line. */
export type CommandLineOf = (exchange: Exchange) => string | undefined;

/** What the parts of a page need. */
export interface PageContext {
  readonly report: Report;
  readonly commandLineOf?: CommandLineOf | undefined;
}

/** The longest text of each side. */
const MAX_SIDE = 2000;

/** One finding: a line that opens to the evidence, the reason, the fix and the consequences. */
export function findingDetails({ check, also }: FindingEntry, page: PageContext, open = false): Markup {
  const { id, severity, message, cost, source, state } = check;
  return html`<details id="${id}"${open ? html` open` : ""}>
<summary class="finding"><span class="severity ${severity}">${state === "preview" ? "preview" : severity}</span>
<span class="what"><code>${id}</code><br>${sentence(message ?? "")}</span>
<span class="cost">${cost === undefined || cost === 0 ? "" : `−${percent(cost)}`}</span></summary>
<div class="body">${[
    check.reason === undefined ? undefined : html`<h3>Why it is listed</h3><p>${check.reason}</p>`,
    evidence(check, page),
    html`<h3>Why it matters</h3><p>${sentence(check.why)}</p>`,
    fixOf(check),
    consequences(also),
    html`<p class="small soft">${[source === "sdk" ? "Comes with the SDK" : "Yours", eras(check, page.report)]
      .filter((part) => part !== undefined)
      .join(" · ")} · <a href="${check.fix?.docs ?? ""}">About this check</a></p>`,
  ]}</div>
</details>
`;
}

function eras({ eras: failed = [] }: CheckReport, { target }: Report): string | undefined {
  if (failed.length === 0) return undefined;
  return failed.length === target.revisions.length && failed.length > 1
    ? "in both eras"
    : `in MCP ${failed.join(", ")}`;
}

function evidence({ evidence: ids = [] }: CheckReport, { report, commandLineOf }: PageContext): Markup | undefined {
  const [exchange] = ids.flatMap((id) => report.exchanges.find((one) => one.id === id) ?? []);
  if (exchange === undefined) return undefined;
  const more =
    ids.length > 1
      ? html`<p class="small soft">${ids.length - 1} more: ${ids.slice(1, 6).join(", ")}${ids.length > 6 ? " …" : ""}</p>`
      : "";
  const again = commandLineOf?.(exchange);
  return html`<div class="sides"><div><h3>Sent</h3><pre>${bounded(sentText(exchange))}</pre></div>
<div><h3>Got</h3><pre>${bounded(answerText(exchange))}</pre></div></div>
${again === undefined ? "" : html`<h3>See it again</h3><pre class="command">${bounded(again)}</pre>`}${more}`;
}

/** The answer in short, and the whole of it where that says more. */
function answerText(exchange: Exchange): string {
  const raw = rawAnswer(exchange);
  const short = gotText(exchange);
  return raw === undefined || raw.trim() === "" || short.includes(raw.trim())
    ? short
    : `${short}\n\n${withoutPasswords(raw)}`;
}

function fixOf({ fix }: CheckReport): Markup | undefined {
  if (fix === undefined) return undefined;
  return html`<h3>Fix</h3><p>${sentence(fix.text)}</p>${fix.code === undefined ? "" : html`<pre class="line">${fix.code}</pre>`}`;
}

function consequences(also: readonly CheckReport[]): Markup | undefined {
  if (also.length === 0) return undefined;
  return html`<h3>Consequences, not scored</h3><ul>${also.map(
    (one) => html`<li><a href="${one.fix?.docs ?? ""}"><code>${one.id}</code></a> ${sentence(one.message ?? "")}</li>`,
  )}</ul>`;
}

function bounded(text: string): string {
  return text.length <= MAX_SIDE ? text : `${text.slice(0, MAX_SIDE)}…`;
}
