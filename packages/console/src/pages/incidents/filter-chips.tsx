import { useState } from "preact/hooks";
import type { Hits, Series } from "../../api/types.ts";
import { showHidden } from "../../format/foreign.ts";
import { count } from "../../format/numbers.ts";
import { fullTime } from "../../format/time.ts";
import { shortCaller } from "../../format/words.ts";
import { Icon } from "../../parts/icon.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Part } from "../../parts/part.tsx";
import { useResource } from "../../state/resource.ts";
import { type FilterName, type Filters, SINCE_CHOICES } from "./filters.ts";

/** Sets filters. Undefined removes one. */
type SetFilters = (changes: Readonly<Partial<Record<FilterName, string | undefined>>>) => void;

/** The filters with a menu, and where the values of the last 24 hours come from. */
const MENUS = [
  { name: "kind", words: "Kind", values: "incident-series?by=kind&range=24h&top=20" },
  { name: "reason", words: "Reason", values: "incident-series?by=reason&range=24h&top=20" },
  { name: "tool", words: "Tool", values: "incident-series?by=tool&range=24h&top=20" },
  { name: "upstream", words: "Upstream", values: "incident-series?by=upstream&range=24h&top=20" },
  { name: "tenant", words: "Tenant", values: "incident-hits?by=tenant&range=24h&limit=20" },
  { name: "caller", words: "Caller", values: "incident-hits?by=caller&range=24h&limit=20" },
] as const satisfies readonly { readonly name: FilterName; readonly words: string; readonly values: string }[];

/** The chips above the list: each filter with what it is set to, and a menu to set it. */
export function FilterChips({ filters, onSet }: { readonly filters: Filters; readonly onSet: SetFilters }) {
  const isAny = Object.keys(filters).length > 0;
  return (
    <fieldset class="chips">
      <legend class="sr">Filters</legend>
      {MENUS.map(({ name, words, values }) => (
        <Chip
          key={name}
          words={words}
          value={filters[name]}
          shown={filterValue(name, filters[name])}
          onClear={() => onSet({ [name]: undefined })}
        >
          {(close) => (
            <Values
              path={values}
              name={name}
              words={words}
              onChoose={(value) => {
                onSet({ [name]: value });
                close();
              }}
            />
          )}
        </Chip>
      ))}
      <TimeChip filters={filters} onSet={onSet} />
      {(["fingerprint", "trace"] as const).map((name) => {
        const value = filters[name];
        return (
          value !== undefined && (
            <span key={name} class="chip set">
              <span class="chip-name">
                {name === "trace" ? "Trace" : "Cause"} <code>{showHidden(value.slice(0, 12))}…</code>
              </span>
              <Clear words={name} onClear={() => onSet({ [name]: undefined })} />
            </span>
          )
        );
      })}
      {isAny && (
        <button
          type="button"
          class="quiet"
          onClick={() => onSet(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])))}
        >
          Clear all
        </button>
      )}
    </fieldset>
  );
}

function filterValue(name: FilterName, value: string | undefined): string | undefined {
  return value !== undefined && name === "caller" ? shortCaller(value) : value;
}

function Chip({
  words,
  value,
  shown = value,
  onClear,
  children,
}: {
  readonly words: string;
  readonly value: string | undefined;
  readonly shown?: string | undefined;
  readonly onClear: () => void;
  readonly children: Parameters<typeof Menu>[0]["children"];
}) {
  return (
    <span class={value === undefined ? "chip" : "chip set"}>
      <Menu
        label={`Filter by ${words.toLowerCase()}`}
        class="chip-name"
        button={
          <>
            {words}
            {shown !== undefined && <b>{showHidden(shown)}</b>}
          </>
        }
      >
        {children}
      </Menu>
      {value !== undefined && <Clear words={words} onClear={onClear} />}
    </span>
  );
}

function Clear({ words, onClear }: { readonly words: string; readonly onClear: () => void }) {
  return (
    <button type="button" class="chip-clear" aria-label={`Remove the filter ${words.toLowerCase()}`} onClick={onClear}>
      <Icon name="cross" size={12} />
    </button>
  );
}

/** The values of the last 24 hours, and a field for any other. They are asked for when the menu opens. */
function Values({
  path,
  name,
  words,
  onChoose,
}: {
  readonly path: string;
  readonly name: FilterName;
  readonly words: string;
  readonly onChoose: (value: string) => void;
}) {
  const values = useResource<Series | Hits>(path);
  return (
    <>
      <FreeText words={words} onChoose={onChoose} />
      <Part value={values.value} failure={values.failure} onRetry={values.reload} bones={4}>
        {(value) => {
          const known = listValues(value);
          return known.length === 0 ? (
            <p class="sub">No incidents in the last 24 hours.</p>
          ) : (
            <ul>
              {known.map(({ group, total }) => (
                <li key={group}>
                  <button type="button" class="menu-item" onClick={() => onChoose(group)}>
                    <bdi>{showHidden(filterValue(name, group) ?? group)}</bdi>
                    <span class="sub">{count(total)}</span>
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </Part>
    </>
  );
}

function listValues(value: Series | Hits): readonly { readonly group: string; readonly total: number }[] {
  if ("groups" in value) return value.groups;
  return value.items.map((hit) => ({ group: hit.group, total: hit.count }));
}

function FreeText({ words, onChoose }: { readonly words: string; readonly onChoose: (value: string) => void }) {
  const [text, setText] = useState("");
  return (
    <form
      class="chip-text"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") onChoose(text.trim());
      }}
    >
      <input
        type="text"
        aria-label={words}
        placeholder={`Any ${words.toLowerCase()}`}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="btn small">
        Filter
      </button>
    </form>
  );
}

function TimeChip({ filters, onSet }: { readonly filters: Filters; readonly onSet: SetFilters }) {
  const { since, until } = filters;
  const shown = [since && `from ${showTime(since)}`, until && `to ${showTime(until)}`].filter(Boolean).join(" ");
  return (
    <Chip
      words="Time"
      value={since ?? until}
      shown={shown === "" ? undefined : shown}
      onClear={() => onSet({ since: undefined, until: undefined })}
    >
      {(close) => (
        <>
          <ul>
            {SINCE_CHOICES.map(({ words, ms }) => (
              <li key={words}>
                <button
                  type="button"
                  class="menu-item"
                  onClick={() => {
                    onSet({ since: new Date(Date.now() - ms).toISOString(), until: undefined });
                    close();
                  }}
                >
                  {words}
                </button>
              </li>
            ))}
          </ul>
          <TimeFields since={since} until={until} onSet={onSet} />
        </>
      )}
    </Chip>
  );
}

function showTime(text: string): string {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? text : fullTime(ms);
}

/** Fields for any time, in UTC. */
function TimeFields({
  since,
  until,
  onSet,
}: {
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly onSet: SetFilters;
}) {
  const change = (name: "since" | "until") => (event: Event) => {
    const ms = Date.parse(`${(event.currentTarget as HTMLInputElement).value}Z`);
    onSet({ [name]: Number.isNaN(ms) ? undefined : new Date(ms).toISOString() });
  };
  return (
    <div class="chip-times">
      <label>
        From, UTC
        <input type="datetime-local" value={since?.slice(0, 16)} onChange={change("since")} />
      </label>
      <label>
        To, UTC
        <input type="datetime-local" value={until?.slice(0, 16)} onChange={change("until")} />
      </label>
    </div>
  );
}
