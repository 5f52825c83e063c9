// Every state of the console has an address. The router is the History API and one signal.
import { signal } from "@preact/signals";
import { consoleBase } from "../api/client.ts";

/** Where the console is: the path below `/console/`, and the query. */
export interface Place {
  /** Such as `incidents` or `i/01M7…`; empty for the first page. Ids in it are still encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The present place. */
export const place = signal<Place>(readPlace());

/** The address of a path of the console. */
export function href(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const url = new URL(path, consoleBase());
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return `${url.pathname}${url.search}`;
}

/** Goes to an address of the console, as a link does. */
export function go(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, "", to);
  else {
    history.pushState(null, "", to);
    scrollTo(0, 0);
  }
  place.value = readPlace();
}

/** Changes members of the query, and keeps the path. Undefined removes one. */
export function setQuery(
  changes: Readonly<Record<string, string | undefined>>,
  options?: { readonly replace?: boolean },
): void {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  go(href(place.value.path, Object.fromEntries(query)), options);
}

/** Follows links of the console without loading the page again, and the buttons of the browser. Gives what ends it. */
export function startRouter(): () => void {
  const ending = new AbortController();
  const { signal: ended } = ending;
  addEventListener("popstate", () => (place.value = readPlace()), { signal: ended });
  document.addEventListener("click", (event) => followLink(event), { signal: ended });
  return () => ending.abort();
}

function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = (event.target as Element | null)?.closest?.("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (!link.pathname.startsWith(consoleBase().pathname)) return;
  // A link to a place of the same page is the browser's.
  if (link.hash !== "" && link.pathname === location.pathname) return;
  event.preventDefault();
  go(`${link.pathname}${link.search}`);
}

function readPlace(): Place {
  // Tests of pure parts have no window.
  if (typeof location === "undefined") return { path: "", query: new URLSearchParams() };
  const base = consoleBase().pathname;
  const path = location.pathname.slice(base.length).replace(/\/$/, "");
  return { path, query: new URLSearchParams(location.search) };
}
