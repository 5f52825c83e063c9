import { Component, type ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { findPage, type PageEntry } from "../pages/find-page.tsx";
import { Foreign } from "../parts/foreign.tsx";
import { loadOnce, useOnDemand } from "../parts/on-demand.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { href, place } from "../state/router.ts";
import { tabTitle } from "../state/title.ts";

/** The page of the present address. It is never blank: what cannot be shown is a sentence. */
export function PageFrame() {
  const { path } = place.value;
  const found = findPage(path);
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  const title = found?.entry.title ?? "No such page";
  // Before the page: it may have a better title.
  useLayoutEffect(() => {
    tabTitle.value = title;
  }, [path, title]);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <main id="main" ref={main} tabIndex={-1}>
      <Boundary key={path}>
        {found === undefined ? <NoPage /> : <LoadedPage key={found.entry.title} entry={found.entry} id={found.id} />}
      </Boundary>
    </main>
  );
}

function LoadedPage({ entry, id }: { readonly entry: PageEntry; readonly id: string }) {
  const { component, retry } = useOnDemand(entry.load);
  const Page = entry.page ?? component;
  if (Page !== undefined) return <Page id={id} />;
  if (retry === undefined)
    return (
      <div class="page" aria-busy="true">
        <h1 class="sr">{entry.title}</h1>
        <Skeleton lines={6} />
      </div>
    );
  return (
    <div class="page">
      <h1 class="title">This page could not be loaded.</h1>
      <p>The gateway does not answer, or it was upgraded while this page was open.</p>
      <button type="button" class="btn" onClick={retry}>
        Try now
      </button>{" "}
      <button type="button" class="btn" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  );
}

function NoPage() {
  return (
    <div class="page">
      <h1 class="title">There is no such page.</h1>
      <p>
        <a class="all" href={href("")}>
          Now
        </a>
      </p>
    </div>
  );
}

/** Shows a sentence in place of what throws. */
export class Boundary extends Component<
  {
    /** Whether it is a part beside the page, which has the title. @default false */
    readonly isSmall?: boolean;
    readonly children?: ComponentChildren;
  },
  { readonly error?: unknown }
> {
  static override getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (this.props.isSmall) return <p class="strip">The head of the page cannot be shown. Reload the page.</p>;
    return (
      <div class="page" role="alert">
        <h1 class="title">This page cannot be shown.</h1>
        <p class="empty">
          Something in the console failed: <Foreign text={error instanceof Error ? error.message : String(error)} />.
          The gateway is not affected.
        </p>
        <button type="button" class="btn" onClick={() => this.setState({ error: undefined })}>
          Try again
        </button>
      </div>
    );
  }
}

/** Loads the page behind an address before the user follows the link to it. */
export function prefetchPage(path: string): void {
  const entry = findPage(path)?.entry;
  // A failure is shown when the page is needed.
  if (entry !== undefined) loadOnce(entry.load).catch(() => undefined);
}
