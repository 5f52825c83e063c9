import { useState } from "preact/hooks";
import { type ApiFailure, read } from "../../api/client.ts";
import type { Change, Page } from "../../api/types.ts";
import { day, fullTime } from "../../format/time.ts";
import { NewRows, useSteadyPage } from "../../parts/new-rows.tsx";
import { Part } from "../../parts/part.tsx";
import { When } from "../../parts/when.tsx";
import { now } from "../../state/clock.ts";
import { POLL_MS, useResource } from "../../state/resource.ts";
import { href, place, setQuery } from "../../state/router.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { rangeReaching } from "../now/ranges.ts";
import { ChangeRow } from "./change-row.tsx";
import { CHANGE_KIND_WORDS } from "./change-words.ts";

const PAGE_SIZE = 50;
/** Older pages are added to the list up to so many entries: beyond it, `since` and `until` of the address are the way. */
const MAX_ENTRIES = 500;

/** What changed, on one time line. */
export function ChangesPage() {
  const { query } = place.value;
  const kind = readKind(query.get("kind"));
  const path = listPath({ kind, since: query.get("since"), until: query.get("until") });
  return (
    <div class="page changes">
      <h1>Changes</h1>
      <p class="sub">
        People, the configuration, breakers, stores and processes, for 90 days. Of the configuration only the names of
        options are kept, never their values.
      </p>
      <KindSwitch kind={kind} />
      <ChangeList key={path} path={path} kind={kind} />
    </div>
  );
}

function ChangeList({ path, kind }: { readonly path: string; readonly kind: Kind | undefined }) {
  const first = useResource<Page<Change>>(path, { everyMs: POLL_MS });
  const { page, fresh, freshWords, insert: insertFirst } = useSteadyPage(first.value);
  const older = useOlder(path, page);
  const insert = () => {
    older.clear();
    insertFirst();
  };
  useShortcuts({ ".": fresh > 0 ? insert : undefined });
  return (
    <>
      {fresh > 0 && <NewRows words={freshWords} onInsert={insert} />}
      <Part {...first} value={page} onRetry={first.reload} bones={8}>
        {({ items }) => {
          const all = [...items, ...older.items];
          return all.length === 0 ? (
            <div class="card empty">
              <b>Nothing has changed{kind === undefined ? "" : " of this kind"}</b>
              {kind !== undefined && <a href={href("changes")}>Show all kinds</a>}
            </div>
          ) : (
            <TimeLine items={all} />
          );
        }}
      </Part>
      {older.failure !== undefined && (
        <p class="part-away" role="status">
          {older.failure.sentence}
        </p>
      )}
      {older.next !== null && (
        <button type="button" class="btn" onClick={older.load} aria-disabled={older.isLoading}>
          Older
        </button>
      )}
    </>
  );
}

type Kind = Change["kind"];

function readKind(text: string | null): Kind | undefined {
  return (Object.keys(CHANGE_KIND_WORDS) as Kind[]).find((kind) => kind === text);
}

function listPath(filter: Readonly<Record<string, string | null | undefined>>): string {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value);
  return `changes?${query}`;
}

/** The pages after the first. */
function useOlder(path: string, first: Page<Change> | undefined) {
  const [pages, setPages] = useState<readonly Page<Change>[]>([]);
  const [failure, setFailure] = useState<ApiFailure>();
  const [isLoading, setLoading] = useState(false);
  const items = pages.flatMap((page) => page.items);
  const next = items.length >= MAX_ENTRIES ? null : ((pages.at(-1) ?? first)?.next ?? null);
  const load = async () => {
    if (next === null || isLoading) return;
    setLoading(true);
    const answer = await read<Page<Change>>(`${path}&before=${encodeURIComponent(next)}`);
    setLoading(false);
    setFailure("failure" in answer ? answer.failure : undefined);
    if ("value" in answer) setPages([...pages, answer.value]);
  };
  return { items, next, failure, isLoading, load: () => void load(), clear: () => setPages([]) };
}

function KindSwitch({ kind }: { readonly kind: Kind | undefined }) {
  const choices = [[undefined, "All"], ...Object.entries(CHANGE_KIND_WORDS)] as readonly [Kind | undefined, string][];
  return (
    <div class="seg" role="radiogroup" aria-label="Kind of change">
      {choices.map(([name, words]) => (
        <label key={words}>
          <input type="radio" name="kind" checked={name === kind} onChange={() => setQuery({ kind: name })} />
          <span>{words}</span>
        </label>
      ))}
    </div>
  );
}

/** The entries by day, the newest first. */
function TimeLine({ items }: { readonly items: readonly Change[] }) {
  const days = Map.groupBy(items, ({ at }) => day(at));
  return [...days].map(([name, entries]) => (
    <section key={name} class="card" aria-label={name}>
      <header>
        <h2>{name}</h2>
        {name === day(now.peek()) && <p>today</p>}
      </header>
      <ol class="rows tight">
        {entries.map((one) => (
          <ChangeRow key={one.id} change={one}>
            <a class="sub num" href={aroundHref(one)} aria-label={`Now, with ${fullTime(one.at)}`}>
              <When at={one.at} show="clock" />
            </a>
          </ChangeRow>
        ))}
      </ol>
    </section>
  ));
}

/** Now with the shortest time that reaches back to the change. */
function aroundHref({ at }: Change): string {
  const range = rangeReaching(at, { nowMs: now.peek() });
  return href("", { range: range === "1h" ? undefined : range });
}
