// Asks Pagefind for pages. Its script and index are loaded once, when search opens.

/** A page that was found. */
export interface FoundPage {
  readonly url: string;
  readonly title: string;
  /** HTML with marks around the words. */
  readonly excerpt: string;
  /** The sections of the page that fit best. */
  readonly parts: readonly { readonly url: string; readonly title: string; readonly excerpt: string }[];
}

/** What is used of Pagefind. */
interface Pagefind {
  options(options: { readonly baseUrl: string; readonly excerptLength: number }): Promise<void>;
  init(): Promise<void>;
  search(query: string): Promise<{ readonly results: readonly { data(): Promise<PagefindPage> }[] }>;
}

interface PagefindPage {
  readonly url: string;
  readonly excerpt: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly sub_results: readonly { readonly title: string; readonly url: string; readonly excerpt: string }[];
}

const MAX_PAGES = 6;
const MAX_PARTS = 2;

let loaded: Promise<Pagefind> | undefined;

/** Loads Pagefind. */
export function loadPagefind(base: string): Promise<Pagefind> {
  loaded ??= (async () => {
    const pagefind = (await import(/* @vite-ignore */ `${base}/pagefind/pagefind.js`)) as Pagefind;
    await pagefind.options({ baseUrl: `${base}/`, excerptLength: 18 });
    await pagefind.init();
    return pagefind;
  })();
  return loaded;
}

/** Finds pages, the best first. */
export async function findPages(base: string, query: string): Promise<readonly FoundPage[]> {
  const pagefind = await loadPagefind(base);
  const { results } = await pagefind.search(query);
  const pages = await Promise.all(results.slice(0, MAX_PAGES).map((result) => result.data()));
  return pages.map(({ url, excerpt, meta, sub_results: parts }) => ({
    url,
    excerpt,
    title: meta["title"] ?? url,
    // The part above the first heading is the page itself.
    parts: parts.filter((part) => part.url.includes("#") && !part.url.endsWith("#_top")).slice(0, MAX_PARTS),
  }));
}
