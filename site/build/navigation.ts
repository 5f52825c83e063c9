// The navigation of the site, from its map.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expandMap } from "../map.ts";

const PAGES = join(import.meta.dirname, "../.pages");

/** A link in the navigation. */
interface NavigationLink {
  readonly label: string;
  readonly link: string;
}

/** A group of the navigation, folded unless the reader is in it. */
interface NavigationGroup {
  readonly label: string;
  readonly collapsed: boolean;
  readonly items: (NavigationLink | NavigationGroup)[];
}

/** Pages made by Astro: they have no Markdown to take the title from. */
const TITLES: Readonly<Record<string, string>> = { "/errors/": "All errors" };

/** The title of a page, without the scope of our packages. Undefined if there is no such page. */
function readTitle(address: string): string | undefined {
  const known = TITLES[address];
  if (known !== undefined) return known;
  const file = join(PAGES, `${address.slice(1, -1)}.md`);
  if (!existsSync(file)) return undefined;
  const [, title] = /^title: (.+)$/m.exec(readFileSync(file, "utf8")) ?? [];
  return title === undefined ? undefined : (JSON.parse(title) as string).replace(/^@recourse\//, "");
}

/** Reads the navigation. Pages have to be written before. */
export function readNavigation(): NavigationGroup[] {
  const addresses = [
    ...globSync("**/*.md", { cwd: PAGES }).map((file) => `/${file.replace(/\.md$/, "")}/`),
    ...Object.keys(TITLES),
  ].toSorted();
  const toLinks = (pages: readonly string[]) =>
    pages.flatMap((page) => {
      const label = readTitle(page);
      return label === undefined ? [] : [{ label, link: page }];
    });
  return expandMap(addresses).map(({ label, groups }) => ({
    label,
    collapsed: true,
    items: groups.flatMap((group): NavigationGroup["items"] =>
      group.label === undefined
        ? toLinks(group.pages)
        : [{ label: group.label, collapsed: true, items: toLinks(group.pages) }],
    ),
  }));
}
