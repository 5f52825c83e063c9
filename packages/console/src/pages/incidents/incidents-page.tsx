import { useEffect, useRef, useState } from "preact/hooks";
import type { Incident, IncidentClass, Page } from "../../api/types.ts";
import { Card } from "../../parts/card.tsx";
import { NewRows, useSteadyPage } from "../../parts/new-rows.tsx";
import { Part } from "../../parts/part.tsx";
import { POLL_MS, type Resource, useResource } from "../../state/resource.ts";
import { go, href, place, setQuery } from "../../state/router.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { FilterChips } from "./filter-chips.tsx";
import { type Filters, incidentsPath, readFilters } from "./filters.ts";
import { IncidentTable } from "./incident-table.tsx";
import "../../style/lists.css";

/** The incidents, the newest first. Filters, page and marks are in the address. */
export function IncidentsPage() {
  const { query } = place.value;
  const filters = readFilters(query);
  const before = query.get("before");
  const path = incidentsPath(filters, before);
  return (
    <div class="page incidents">
      <header class="head">
        <h1>Incidents</h1>
      </header>
      <FilterChips
        filters={filters}
        onSet={(changes) => setQuery({ ...changes, before: undefined, pick: undefined })}
      />
      <IncidentList key={path} path={path} filters={filters} isFirstPage={before === null} />
    </div>
  );
}

/** Titles of so many causes are asked for. Others show their reason. */
const MAX_TITLES = 200;
/** Two incidents are compared. */
const LIST_MARKS = 2;

function IncidentList({
  path,
  filters,
  isFirstPage,
}: {
  readonly path: string;
  readonly filters: Filters;
  readonly isFirstPage: boolean;
}) {
  const [isCancelled, setCancelled] = useState(false);
  // A list that ends before now has nothing new.
  const isSettled = !isFirstPage || filters.until !== undefined;
  const everyMs = isSettled ? undefined : POLL_MS;
  const found = useResource<Page<Incident>>(isCancelled ? undefined : path, { everyMs });
  const classes = useResource<Page<IncidentClass>>(`incident-classes?range=30d&limit=${MAX_TITLES}`);
  const { page, fresh, freshWords, insert } = useSteadyPage(found.value);
  const marked = place.value.query.get("pick")?.split(",").filter(Boolean).slice(0, LIST_MARKS) ?? [];
  const mark = (id: string) => {
    const next = marked.includes(id) ? marked.filter((one) => one !== id) : [...marked, id].slice(-LIST_MARKS);
    setQuery({ pick: next.length === 0 ? undefined : next.join(",") }, { replace: true });
  };
  const items = page?.items ?? [];
  const chosen = useListKeys(items, { onMark: mark, onInsert: fresh > 0 ? insert : undefined });
  const isSlow = useSlow(found);
  const next = page?.next;
  return (
    <Card
      id="list"
      title={isFirstPage ? "Newest first" : "Older incidents"}
      aside={<CompareMarked marked={marked} />}
      class="list-card"
    >
      <div class="list-state" role="status">
        {isSlow && !isCancelled && (
          <p class="searching">
            <progress aria-label="Searching" /> Searching…
            <button type="button" class="btn small" onClick={() => setCancelled(true)}>
              Cancel
            </button>
          </p>
        )}
        {isCancelled && (
          <p class="searching">
            The search was cancelled.
            <button type="button" class="btn small" onClick={() => setCancelled(false)}>
              Search again
            </button>
          </p>
        )}
        {fresh > 0 && <NewRows words={freshWords} onInsert={insert} />}
      </div>
      {!isCancelled && (
        <Part value={page} asOf={found.asOf} failure={found.failure} onRetry={found.reload} bones={10}>
          {() =>
            items.length === 0 ? (
              <NothingFound isFiltered={Object.keys(filters).length > 0} isFirstPage={isFirstPage} />
            ) : (
              <IncidentTable
                items={items}
                classes={classes.value?.items ?? []}
                chosen={chosen}
                marked={marked}
                onMark={mark}
              />
            )
          }
        </Part>
      )}
      {(!isFirstPage || typeof next === "string") && (
        <footer class="pages">
          {!isFirstPage && (
            <button type="button" class="btn small" onClick={() => setQuery({ before: undefined })}>
              Newest
            </button>
          )}
          {typeof next === "string" && (
            <button type="button" class="btn small" onClick={() => setQuery({ before: next })}>
              Older
            </button>
          )}
        </footer>
      )}
    </Card>
  );
}

function CompareMarked({ marked }: { readonly marked: readonly string[] }) {
  const [first, second] = marked;
  if (first === undefined) return null;
  return second === undefined ? (
    <span class="sub">Mark one more to compare.</span>
  ) : (
    <a class="btn small" href={href(`i/${encodeURIComponent(first)}`, { with: second })}>
      Compare two
    </a>
  );
}

function NothingFound({ isFiltered, isFirstPage }: { readonly isFiltered: boolean; readonly isFirstPage: boolean }) {
  return (
    <div class="empty">
      <b>{isFirstPage ? "No incidents." : "No older incidents."}</b>
      {isFiltered
        ? "No incident that is kept fits these filters."
        : "An incident is a failure that concerns you, not a mistake of a caller. None is kept."}
    </div>
  );
}

/** A request that takes longer than this shows that it is still running. */
const SEARCH_SLOW_MS = 300;

/** Whether the first request of a list takes long. */
function useSlow({ value, isLoading: isAsking }: Resource<unknown>): boolean {
  const isLoading = isAsking && value === undefined;
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!isLoading) return undefined;
    const timer = setTimeout(() => setSlow(true), SEARCH_SLOW_MS);
    return () => clearTimeout(timer);
  }, [isLoading]);
  return isSlow && isLoading;
}

/** Keys of a list: next, previous, open, mark, insert what is new. Gives the place of the chosen row. */
function useListKeys(
  items: readonly Incident[],
  { onMark, onInsert }: { readonly onMark: (id: string) => void; readonly onInsert: (() => void) | undefined },
): number | undefined {
  const [chosen, choose] = useState<number>();
  const last = useRef(items);
  // A list with other rows starts anew: the row at the same place is another one.
  if (last.current !== items && last.current[0]?.id !== items[0]?.id && chosen !== undefined) choose(undefined);
  last.current = items;
  const move = (by: number) => () => {
    const to = Math.min(items.length - 1, Math.max(0, (chosen ?? (by > 0 ? -1 : items.length)) + by));
    if (items.length === 0) return;
    choose(to);
    document.querySelectorAll<HTMLElement>(".incidents-list tbody th a")[to]?.focus();
  };
  const row = chosen === undefined ? undefined : items[chosen];
  useShortcuts({
    j: move(1),
    k: move(-1),
    Enter: row && (() => go(href(`i/${encodeURIComponent(row.id)}`))),
    x: row && (() => onMark(row.id)),
    ".": onInsert,
  });
  return chosen;
}
