const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? "");
}

/** A piece of HTML whose values are escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.map((part, at) => `${part}${at < values.length ? escaped(values[at] ?? "") : ""}`).join("");
}

/** A list of sentences. */
export function list(items: readonly string[]): string {
  return `<ul>${items.map((item) => html`<li>${item}</li>`).join("")}</ul>`;
}

/** A whole page. */
export function page(title: string, ...body: readonly string[]): string {
  const head = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>`;
  return `${head}<body>${html`<h1>${title}</h1>`}${body.join("")}</body></html>`;
}
