// Where the links of the pages lead on the site.
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { changeLinks, listAnchors } from "./markdown.ts";
import { findAddress, ROOT, type SourcePage } from "./sources.ts";

/** The repository at its host. */
export const REPOSITORY = "https://github.com/recourse-mcp/recourse";

/** Where a link of a page leads. */
type LinkTarget =
  | { readonly to: "page"; readonly address: string; readonly anchor: string | undefined }
  | { readonly to: "picture"; readonly file: string }
  | { readonly to: "file"; readonly file: string; readonly anchor: string | undefined }
  | { readonly to: "web"; readonly url: string }
  | { readonly to: "nothing" };

/** Files that the site serves itself. */
const PICTURE = /^docs\/pictures\/[^/]+\.(?:png|svg)$/;

/** The repository's own files are also named by their address at its host. */
const AT_HOST = `${REPOSITORY}/blob/main/`;

/** Finds out where a link of a file leads. */
function resolveLink(from: string, link: string): LinkTarget {
  const atHost = link.startsWith(AT_HOST) ? link.slice(AT_HOST.length) : undefined;
  if (atHost === undefined && /^[a-z][a-z+.-]*:/i.test(link)) return { to: "web", url: link };
  const [path = "", anchor] = (atHost ?? link).split("#");
  const file =
    atHost === undefined ? (path === "" ? from : posix.join(posix.dirname(from), path).replace(/\/$/, "")) : path;
  if (PICTURE.test(file)) return { to: "picture", file };
  const address = file === "README.md" ? "/" : (findAddress(file) ?? findAddress(`${file}/README.md`));
  const isThere = existsSync(join(ROOT, file));
  if (address !== undefined && isThere) return { to: "page", address, anchor };
  return isThere ? { to: "file", file, anchor } : { to: "nothing" };
}

/** How links are written. */
export interface LinkOptions {
  /** The tag or branch whose files are linked. */
  readonly revision: string;
}

/** Writes a link of a page for the site: pages relative to each other, so that they work below any base. */
export function rewriteLink(page: SourcePage, link: string, { revision }: LinkOptions): string {
  const target = resolveLink(page.file, link);
  switch (target.to) {
    case "page": {
      const anchor = target.anchor === undefined ? "" : `#${target.anchor}`;
      return target.address === page.address && anchor !== ""
        ? anchor
        : `${toRelative(page.address, target.address)}${anchor}`;
    }
    case "picture":
      return `${toRelative(page.address, "/pictures/")}${posix.basename(target.file)}`;
    case "file": {
      const anchor = target.anchor === undefined ? "" : `#${target.anchor}`;
      return `${REPOSITORY}/blob/${revision}/${target.file}${anchor}`;
    }
    case "web":
      return target.url;
    case "nothing":
      return link;
    default:
      return target satisfies never;
  }
}

/** An address as seen from another one. */
export function toRelative(from: string, to: string): string {
  const path = posix.relative(from, to);
  return path === "" ? "./" : to.endsWith("/") ? `${path}/` : path;
}

/** A link that leads nowhere. */
export interface DeadLink {
  readonly file: string;
  readonly link: string;
}

/** Finds the links of all pages whose file, page or heading does not exist. */
export function findDeadLinks(pages: readonly SourcePage[]): readonly DeadLink[] {
  const anchors = new Map(pages.map(({ address, text }) => [address, listAnchors(text)]));
  return pages.flatMap((page) =>
    listLinks(page.text)
      .filter((link) => {
        const target = resolveLink(page.file, link);
        if (target.to === "nothing") return true;
        if (target.to !== "page" || target.anchor === undefined) return false;
        return anchors.get(target.address)?.has(target.anchor) !== true;
      })
      .map((link) => ({ file: page.file, link })),
  );
}

function listLinks(markdown: string): readonly string[] {
  const links: string[] = [];
  changeLinks(markdown, (target) => {
    links.push(target);
    return target;
  });
  return links;
}
