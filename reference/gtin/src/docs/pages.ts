import type { AnyReason } from "@recourse/faults";
import { catalogue, type Explanation, explain } from "@recourse/faults/explain";
import { gtin } from "../reasons.ts";
import { ERROR_CODES } from "./error-codes.ts";
import { html, list, page } from "./html.ts";

const OWN: readonly AnyReason[] = Object.values(gtin);

/** The page at a path under `/docs/errors`, such as `not_found` or `gtin/no_default_link`; undefined where there is none. */
export function errorPage(path: string): string | undefined {
  if (path === "") return overview();
  const error = ERROR_CODES.find(({ name }) => name === path);
  if (error !== undefined) {
    const told = explain(error.reason);
    return told && explained(`${error.name} (${error.code})`, told);
  }
  const own = OWN.find(({ id }) => id === path);
  const told = explain(own === undefined ? path : { reason: own.id, kind: own.kind });
  return told && explained(path, told, own?.text ?? catalogue[path]?.text);
}

function overview(): string {
  const codes = ERROR_CODES.map(({ code, name }) => [name, `${name} (${code})`] as const);
  const own = OWN.map(({ id }) => [id, id] as const);
  const links = [...codes, ...own].map(([path, text]) => html`<li><a href="/docs/errors/${path}">${text}</a></li>`);
  return page("Errors", `<ul>${links.join("")}</ul>`);
}

function explained(title: string, told: Explanation, sentence?: string): string {
  return page(
    title,
    html`<p>${told.meaning}</p>`,
    sentence === undefined ? "" : html`<p><q>${sentence}</q></p>`,
    "<h2>Causes</h2>",
    list(told.causes),
    "<h2>What to do</h2>",
    list(told.remedies),
    html`<p>Kind ${told.kind}, class ${told.class}; who acts: ${told.actor}; severity: ${told.severity}.</p>`,
  );
}
