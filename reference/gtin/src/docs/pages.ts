import { catalogue, type Explanation, explain } from "@recourse/explain";
import type { AnyReason } from "@recourse/faults";
import { gtin } from "../reasons.ts";

/** One error of Closient's document: its number, its name in `type` and `error_code`, and its reason. */
export interface ErrorCode {
  readonly code: number;
  readonly name: string;
  readonly reason: string;
}

/** The nine errors of Closient's document. */
export const ERROR_CODES: readonly ErrorCode[] = [
  { code: -32001, name: "unauthorized", reason: "auth/unauthorized" },
  { code: -32002, name: "forbidden", reason: "auth/insufficient_scope" },
  { code: -32003, name: "rate_limited", reason: "core/rate_limited" },
  { code: -32100, name: "bad_request", reason: "protocol/bad_request" },
  { code: -32101, name: "validation_error", reason: "core/validation_failed" },
  { code: -32102, name: "unprocessable_entity", reason: "core/unprocessable" },
  { code: -32200, name: "not_found", reason: "core/not_found" },
  { code: -32201, name: "conflict", reason: "core/conflict" },
  { code: -32300, name: "internal_error", reason: "core/internal" },
];

const OWN_REASONS: readonly AnyReason[] = Object.values(gtin);

/** The HTML page at a path below `/docs/errors`, such as `not_found` or `gtin/no_default_link`; undefined for other paths. */
export function errorPage(path: string): string | undefined {
  if (path === "") return overviewPage();
  const error = ERROR_CODES.find(({ name }) => name === path);
  if (error !== undefined) {
    const explanation = explain(error.reason);
    return explanation && explanationPage(`${error.name} (${error.code})`, explanation);
  }
  const own = OWN_REASONS.find(({ id }) => id === path);
  const explanation = explain(own === undefined ? path : { reason: own.id, kind: own.kind });
  return explanation && explanationPage(path, explanation, own?.text ?? catalogue[path]?.text);
}

function overviewPage(): string {
  const codes = ERROR_CODES.map(({ code, name }) => [name, `${name} (${code})`] as const);
  const own = OWN_REASONS.map(({ id }) => [id, id] as const);
  const links = [...codes, ...own].map(([path, text]) => html`<li><a href="/docs/errors/${path}">${text}</a></li>`);
  return page("Errors", `<ul>${links.join("")}</ul>`);
}

function explanationPage(title: string, explanation: Explanation, sentence?: string): string {
  return page(
    title,
    html`<p>${explanation.meaning}</p>`,
    sentence === undefined ? "" : html`<p><q>${sentence}</q></p>`,
    "<h2>Causes</h2>",
    list(explanation.causes),
    "<h2>What to do</h2>",
    list(explanation.remedies),
    html`<p>Kind ${explanation.kind}, class ${explanation.class}; who acts: ${explanation.actor}; severity: ${explanation.severity}.</p>`,
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? "");
}

/** HTML with escaped values. */
export function html(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.map((part, at) => `${part}${at < values.length ? escapeHtml(values[at] ?? "") : ""}`).join("");
}

/** An HTML list. */
function list(items: readonly string[]): string {
  return `<ul>${items.map((item) => html`<li>${item}</li>`).join("")}</ul>`;
}

/** A complete HTML page. */
function page(title: string, ...body: readonly string[]): string {
  const head = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>`;
  return `${head}<body>${html`<h1>${title}</h1>`}${body.join("")}</body></html>`;
}
