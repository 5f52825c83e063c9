import { posix } from "node:path";

/** The relative links of Markdown pages that lead nowhere: to no page, or to no heading of a page. */
export function brokenLinks(files: ReadonlyMap<string, string>): string[] {
  const broken: string[] = [];
  for (const [path, text] of files) {
    if (!path.endsWith(".md")) continue;
    for (const [, link = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const [file = "", anchor] = link.split("#");
      const target = files.get(file === "" ? path : posix.join(posix.dirname(path), file));
      const found = target !== undefined && (anchor === undefined || anchors(target).has(anchor));
      if (!found) broken.push(`${path}: ${link}`);
    }
  }
  return broken;
}

/** The anchors of a page, as the usual renderers make them from headings. */
function anchors(text: string): Set<string> {
  const headings = text.matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}
