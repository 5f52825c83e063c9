import { INVISIBLE_CHARACTERS } from "@recourse/core/safety";
import { printable } from "../../terminal/printable.ts";

/** Text that is HTML already. Everything else is escaped where it is inserted. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What may be inserted: text is escaped, lists are joined, nothing is left out. */
type Insertable = string | number | Markup | undefined | readonly Insertable[];

/** Builds HTML. Whatever is inserted is escaped, unless it was built here. */
export function html(strings: TemplateStringsArray, ...values: readonly Insertable[]): Markup {
  return new Markup(strings.map((string, at) => string + (at < values.length ? inserted(values[at]) : "")).join(""));
}

function inserted(value: Insertable): string {
  if (value === undefined) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "string" || typeof value === "number") return escapeHtml(String(value));
  return value.map(inserted).join("");
}

/** A sentence in which names between backticks are code. */
export function sentence(text: string): Markup {
  const parts = text.split(/`([^`\n]{1,200})`/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** A text that shows as itself anywhere in a page. What a reader could not see is written out. */
export function escapeHtml(text: string): string {
  return printable(text.toWellFormed())
    .replace(INVISIBLE_CHARACTERS, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`)
    .replace(/[&<>"'`]/g, (character) => HTML_ESCAPES[character] ?? "");
}

/** JSON that can stand in a script element: nothing in it can end the element. */
export function embeddedJson(value: unknown): Markup {
  const json = JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return new Markup(json);
}
