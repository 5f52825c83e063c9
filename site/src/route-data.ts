// Leaves long lists out of the navigation of pages that are not in them: 132 reasons in each of 400 pages are 4 MB. Completes
// the heads of pages.
import { defineRouteMiddleware, type StarlightRouteData } from "@astrojs/starlight/route-data";
import { completeHead } from "../content/page-head.ts";
import { readData } from "./read-data.ts";
import { VERSION_BASE } from "./version.ts";

/** The picture for previews of pages that have none of their own. */
const DEFAULT_PICTURE = "og.png";

const headData = readData<{ readonly markdown: readonly string[]; readonly pictures: readonly string[] }>("head");

type SidebarEntry = StarlightRouteData["sidebar"][number];
type SidebarGroup = Extract<SidebarEntry, { type: "group" }>;

/** How many links a folded group may have on other pages. */
const MAX_FOLDED = 20;

const hasCurrent = (entry: SidebarEntry): boolean =>
  entry.type === "link" ? entry.isCurrent : entry.entries.some(hasCurrent);

/** The folder of an address. */
const findFolder = (address: string) => address.replace(/[^/]+\/$/, "");

/** Only the neighbours of the page, if its list is long. */
function shorten(group: SidebarGroup): readonly SidebarEntry[] {
  if (group.entries.length <= MAX_FOLDED) return [group];
  const current = group.entries.find(hasCurrent);
  if (current?.type !== "link") return [];
  const neighbours = group.entries.filter(
    (entry) => entry.type === "link" && findFolder(entry.href) === findFolder(current.href),
  );
  return [{ ...group, entries: neighbours }];
}

function prune(entries: readonly SidebarEntry[]): SidebarEntry[] {
  return entries.flatMap((entry) => {
    if (entry.type === "link") return [entry];
    const pruned = { ...entry, entries: prune(entry.entries) };
    return entry.entries.some((one) => one.type === "group") ? [pruned] : [...shorten(pruned)];
  });
}

export const onRequest = defineRouteMiddleware((context) => {
  const route = context.locals.starlightRoute;
  route.sidebar = prune(route.sidebar);
  const base = import.meta.env.BASE_URL;
  const address = `/${context.url.pathname.slice(base.length)}`;
  const picture = `share${address.slice(0, -1)}.png`;
  route.head = completeHead(route.head, {
    address,
    base: VERSION_BASE,
    title: route.entry.data.title,
    picture: headData.pictures.includes(picture) ? picture : DEFAULT_PICTURE,
    hasMarkdown: headData.markdown.includes(address),
  }) as typeof route.head;
});
