// Gives each built page a Content-Security-Policy without `unsafe-inline`. Astro's own hashes do not cover the inline scripts
// of Starlight, nor style attributes, which highlighted code has on every word: those become classes here.
import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where the classes for style attributes are. The name changes with the content, so that browsers may keep the file. */
const nameStyleFile = (css: string) =>
  `_astro/attributes.${createHash("sha256").update(css).digest("hex").slice(0, 8)}.css`;

const POLICY = {
  "default-src": "'self'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'self'",
  "object-src": "'none'",
} as const;

/** The search needs WebAssembly. */
const SCRIPTS = "'self' 'wasm-unsafe-eval'";

/** A page that can send nothing: what is pasted there stays there. */
const SILENT_PAGES: readonly string[] = ["playground/index.html"];

const TAG = /<([a-zA-Z][\w-]*)((?:\s+[^\s=>"'/]+(?:=(?:"[^"]*"|'[^']*'|[^\s>"']+))?)*)(\s*\/?)>/g;
/** Scripts and styles hold text, not tags. */
const RAW_TEXT = /(<(script|style)\b([^>]*)>)([\s\S]*?)(<\/\2>)/g;

/** How the style sheet of the highlighter finds its words. */
const HIGHLIGHTED = "span[style^='--']:not([class])";

/** Names a class for each style attribute. */
export interface StyleClasses {
  name(style: string): string;
  readonly css: string;
}

/** Classes are numbered in the order of their styles' digests, so that two builds give the same names. */
export function createStyleClasses(): StyleClasses {
  const styles = new Map<string, string>();
  return {
    name(style) {
      const text = style.trim().replace(/;$/, "");
      const name = `s-${createHash("sha256").update(text).digest("hex").slice(0, 6)}`;
      styles.set(name, text);
      return name;
    },
    get css() {
      // Attributes win over every rule of a style sheet, so the classes have to.
      const rules = [...styles].toSorted(([a], [b]) => (a < b ? -1 : 1));
      return rules
        .map(
          ([name, text]) =>
            `.${name}{${text
              .split(";")
              .map((part) => `${part.trim()}!important`)
              .join(";")}}\n`,
        )
        .join("");
    },
  };
}

/** Replaces the style attributes of a page by classes. */
export function replaceStyles(html: string, classes: StyleClasses): string {
  const kept: string[] = [];
  const withoutRaw = html.replaceAll(RAW_TEXT, (whole) => {
    kept.push(whole);
    return `<raw-text-${kept.length - 1}>`;
  });
  const replaced = withoutRaw.replaceAll(TAG, (whole, tag: string, attributes: string, end: string) => {
    const [attribute, style] = /\sstyle="([^"]*)"/.exec(attributes) ?? [];
    if (attribute === undefined || style === undefined) return whole;
    const name = classes.name(decodeEntities(style));
    const others = attributes.replace(attribute, "");
    const withClass = /\sclass="/.test(others)
      ? others.replace(/\sclass="([^"]*)"/, (_, list: string) => ` class="${list === "" ? name : `${list} ${name}`}"`)
      : `${others} class="${name}"`;
    return `<${tag}${withClass}${end}>`;
  });
  return replaced.replaceAll(/<raw-text-(\d+)>/g, (_, place: string) => kept[Number(place)] ?? "");
}

function decodeEntities(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

/** The policy of a page, with the digests of its inline scripts and styles. */
export function makePolicy(html: string, options: { readonly isSilent: boolean }): string {
  const digests = { script: new Set<string>(), style: new Set<string>() };
  for (const [, , name, attributes = "", text = ""] of html.matchAll(RAW_TEXT)) {
    if (/\ssrc=/.test(attributes) || /type="application\/(?:ld\+)?json"/.test(attributes)) continue;
    digests[name as keyof typeof digests].add(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  }
  const join = (first: string, more: ReadonlySet<string>) => [first, ...[...more].toSorted()].join(" ");
  return Object.entries({
    ...POLICY,
    ...(options.isSilent && { "connect-src": "'none'", "form-action": "'none'" }),
    "script-src": join(SCRIPTS, digests.script),
    "style-src": join("'self'", digests.style),
  })
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

/** Changes all pages of a built site. */
export function securePages(folder: string, base: string): number {
  const files = globSync("**/*.html", { cwd: folder }).toSorted();
  const classes = createStyleClasses();
  const pages = files.map((file) => ({ file, html: replaceStyles(readFileSync(join(folder, file), "utf8"), classes) }));
  const styleFile = nameStyleFile(classes.css);
  for (const { file, html } of pages) {
    const policy = makePolicy(html, { isSilent: SILENT_PAGES.includes(file) });
    const head = `<meta http-equiv="Content-Security-Policy" content="${policy}"><link rel="stylesheet" href="${base}${styleFile}">`;
    writeFileSync(
      join(folder, file),
      html.replace(/<meta charset="[^"]*"\s*\/?>/, (charset) => `${charset}${head}`),
    );
  }
  for (const file of globSync("_astro/*.css", { cwd: folder })) {
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(HIGHLIGHTED, "span[class^='s-']"));
  }
  writeFileSync(join(folder, styleFile), classes.css);
  return files.length;
}
