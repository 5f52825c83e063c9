// Links and anchors of the built pages: by reading all files, and by linkinator, which asks the served site.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { SITE_PATH } from "../content/address.ts";
import type { CheckContext, CheckResult } from "./check.ts";
import { runTool } from "./run-tool.ts";

/** Stands for the address of the site while links are resolved. */
const HERE = "http://site.invalid";
const ROOT = `${SITE_PATH}/`;

const TAG = /<[a-zA-Z][\w-]*((?:\s+[^\s=>"'/]+(?:=(?:"[^"]*"|'[^']*'|[^\s>"']+))?)*)\s*\/?>/g;
const ATTRIBUTE = /\s(href|src|srcset|id|name)="([^"]*)"/g;

/** Parts after `#` that a script reads, and that name no element. */
const READ_BY_SCRIPT = /^(?:z=|:~:)/;

/** What a page offers and asks for. */
export interface PageLinks {
  readonly links: readonly string[];
  /** What a link can name after `#`. */
  readonly anchors: ReadonlySet<string>;
}

/** Reads the links and anchors of a page. */
export function readPageLinks(html: string): PageLinks {
  const links: string[] = [];
  const anchors = new Set<string>();
  // Text in scripts is not markup.
  const markup = html.replaceAll(/(<(script|style)\b[^>]*>)[\s\S]*?<\/\2>/g, "$1");
  for (const [, attributes = ""] of markup.matchAll(TAG))
    for (const [, name, value = ""] of attributes.matchAll(ATTRIBUTE)) {
      const text = decodeEntities(value);
      if (name === "id" || name === "name") anchors.add(text);
      else if (name === "srcset") links.push(...text.split(",").map((part) => part.trim().split(/\s+/)[0] ?? ""));
      else links.push(text);
    }
  return { links, anchors };
}

function decodeEntities(text: string): string {
  return text
    .replaceAll(/&#(?:x([\da-f]+)|(\d+));/gi, (_, hex?: string, decimal?: string) =>
      String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** The pages of a built site, by the path of their file. */
export type BuiltPages = ReadonlyMap<string, PageLinks>;

/** Reads all pages of a built site. */
function readPages(folder: string): BuiltPages {
  const files = globSync("**/*.html", { cwd: folder }).toSorted();
  return new Map(files.map((file) => [file, readPageLinks(readFileSync(join(folder, file), "utf8"))]));
}

/** Finds links inside the site whose file or anchor does not exist. `hasFile` knows files that are not pages. */
export function findDeadLinks(pages: BuiltPages, hasFile: (file: string) => boolean): readonly string[] {
  const dead = [...pages].flatMap(([file, { links }]) =>
    [...new Set(links)].flatMap((link) => {
      const why = explainDeadLink(pages, hasFile, file, link);
      return why === undefined ? [] : [{ file, what: `${link} ${why}` }];
    }),
  );
  // A link of the navigation is on every page.
  return [...Map.groupBy(dead, ({ what }) => what)].map(([what, [first, ...more]]) =>
    more.length === 0 ? `${first?.file}: ${what}` : `${first?.file} and ${more.length} more: ${what}`,
  );
}

function explainDeadLink(
  pages: BuiltPages,
  hasFile: (file: string) => boolean,
  from: string,
  link: string,
): string | undefined {
  const url = URL.parse(link, `${HERE}${ROOT}${from.replace(/(?<=^|\/)index\.html$/, "")}`);
  if (url === null) return "is not an address";
  if (url.origin !== HERE) return undefined;
  if (!url.pathname.startsWith(ROOT)) return "leads out of the site";
  const path = decodeURIComponent(url.pathname).slice(ROOT.length);
  const target = path === "" || path.endsWith("/") ? posix.join(path, "index.html") : path;
  const page = pages.get(target);
  if (page === undefined) return hasFile(target) ? undefined : "has no page";
  const anchor = decodeURIComponent(url.hash.slice(1));
  return anchor === "" || READ_BY_SCRIPT.test(anchor) || page.anchors.has(anchor) ? undefined : "has no such anchor";
}

/** One answer of linkinator. */
interface AskedLink {
  readonly url: string;
  readonly parent?: string;
  readonly status?: number;
  readonly state: "OK" | "BROKEN" | "SKIPPED";
}

/** Follows all links of the served site. Links out of it are not asked. */
async function followLinks(address: string): Promise<readonly AskedLink[]> {
  const outside = `^(?!${address.replaceAll(".", "\\.")}(?:/|$))`;
  const args = [
    `${address}/`,
    "--recurse",
    "--skip",
    outside,
    "--format",
    "json",
    "--concurrency",
    "10",
    "--retry-errors",
  ];
  const { stdout, stderr } = await runTool("linkinator/build/src/cli.js", args);
  const start = stdout.indexOf("{");
  if (start < 0) throw new Error(`linkinator printed no result: ${stderr.slice(-500)}`);
  return (JSON.parse(stdout.slice(start)) as { links: readonly AskedLink[] }).links;
}

/** Checks the links of all pages. */
export async function checkLinks({ folder, address }: CheckContext): Promise<CheckResult> {
  const pages = readPages(folder);
  const dead = findDeadLinks(pages, (file) => existsSync(join(folder, file)));
  const asked = await followLinks(address);
  const broken = asked.filter(({ state }) => state === "BROKEN");
  const followed = asked.filter(({ state }) => state !== "SKIPPED");
  const links = [...pages.values()].reduce((sum, page) => sum + page.links.length, 0);
  return {
    figures: `${pages.size} pages, ${links} links, ${followed.length} addresses asked by linkinator`,
    problems: [
      ...dead,
      ...[...Map.groupBy(broken, ({ url }) => url)].map(
        ([url, [first]]) => `${first?.parent?.replace(address, "")}: ${url} answers ${first?.status} to linkinator`,
      ),
      ...(followed.length < pages.size ? [`linkinator found only ${followed.length} addresses`] : []),
    ],
  };
}
