import { useEffect, useState } from "preact/hooks";
import type { Page } from "../api/types.ts";
import { count } from "../format/numbers.ts";
import "../style/new-rows.css";

/** Says how many rows are new, and inserts them: lists do not move by themselves. */
export function NewRows({ words, onInsert }: { readonly words: string; readonly onInsert: () => void }) {
  return (
    <button type="button" class="fresh" onClick={onInsert}>
      {words} <kbd>.</kbd>
    </button>
  );
}

/** A page in which nothing moves by itself: what is new waits until the user wants it, what has gone keeps its place. */
export function useSteadyPage<T extends { readonly id: string }>(latest: Page<T> | undefined) {
  const [kept, keep] = useState(latest);
  const page = kept === undefined || kept.items.length === 0 ? latest : kept;
  useEffect(() => keep(page), [page]);
  const known = new Set(page?.items.map(({ id }) => id));
  const fresh = (latest?.items ?? []).filter(({ id }) => !known.has(id)).length;
  const isMore = fresh === latest?.items.length && latest.next !== null;
  return { page, fresh, freshWords: `${count(fresh)}${isMore ? "+" : ""} new`, insert: () => keep(latest) };
}
