import "../style/omnibox.css";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { read } from "../api/client.ts";
import type { Found } from "../api/types.ts";
import { showHidden } from "../format/foreign.ts";
import { findQuery, type OmniboxTarget, readOmnibox, targetOfForm, targetOfFound } from "../format/omnibox.ts";
import { Icon } from "../parts/icon.tsx";
import { go, href } from "../state/router.ts";
import { useShortcuts } from "../state/shortcuts.ts";

/** Nothing is asked after each letter while the user types. */
const DEBOUNCE_MS = 150;

const TYPE_WORDS = {
  incident: "Incident",
  approval: "Approval",
  cause: "Cause",
  tool: "Tool",
  reason: "Reason",
  caller: "Caller",
  upstream: "Upstream",
} as const satisfies Record<Found["type"], string>;

interface Suggestions {
  /** What they are for. */
  readonly query: string;
  readonly items: readonly Found[];
  readonly sentence?: string;
}

/** One box for everything that has a name: paste an id or a whole sentence with one, or type a part of a name. */
export function Omnibox({
  name,
  hint,
  text: first,
  hasFocus,
  isSent,
}: {
  readonly name: string;
  /** What stands in it while it is empty. */
  readonly hint: string;
  /** What was typed before this part of the page was there. */
  readonly text: string;
  readonly hasFocus: boolean;
  /** Enter was pressed before. */
  readonly isSent: boolean;
}) {
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const [text, setText] = useState(first);
  const [isOpen, setOpen] = useState(hasFocus);
  const [at, setAt] = useState(-1);
  const [known, setKnown] = useState<Suggestions>();
  const form = readOmnibox(text);
  const query = form === undefined ? "" : findQuery(form);
  const items = known !== undefined && known.query === query ? known.items : [];
  const focus = () => {
    field.current?.focus();
    field.current?.select();
  };
  useShortcuts({ "/": focus, "Ctrl k": focus });

  useLayoutEffect(() => {
    if (hasFocus) field.current?.focus();
  }, []);
  useEffect(() => {
    setAt(-1);
    if (query === "") return undefined;
    const ending = new AbortController();
    const timer = setTimeout(
      () => void suggest(query, ending.signal).then((found) => found && setKnown(found)),
      DEBOUNCE_MS,
    );
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [query]);

  const follow = (target: OmniboxTarget) => {
    setText("");
    setOpen(false);
    focusPage();
    go(href(target.path, target.query));
  };
  const submit = async () => {
    if (form === undefined) return;
    const chosen = items[at];
    if (chosen !== undefined) return follow(targetOfFound(chosen));
    const found = known?.query === query ? known : await suggest(query);
    const first = found?.items[0];
    const target = first === undefined ? targetOfForm(form) : targetOfFound(first);
    if (target !== undefined) return follow(target);
    setKnown(found);
    setOpen(true);
  };
  useEffect(() => {
    if (isSent) void submit();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && items.length > 0) {
      event.preventDefault();
      setOpen(true);
      // From the field itself to the last one, and round again.
      setAt(((at + 1 + step + items.length + 1) % (items.length + 1)) - 1);
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (text === "") focusPage();
      setText("");
      setOpen(false);
    }
  };
  const isShown = isOpen && query !== "" && known?.query === query;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the form itself is the landmark.
    <form
      class="omni"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onFocusOut={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOpen(false);
      }}
    >
      <Icon name="search" />
      <input
        ref={field}
        value={text}
        type="text"
        enterkeyhint="search"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        role="combobox"
        aria-label={name}
        aria-expanded={isShown && items.length > 0}
        aria-controls={`${id}list`}
        aria-autocomplete="list"
        {...(isShown && at >= 0 && { "aria-activedescendant": `${id}${at}` })}
        placeholder={hint}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      <kbd>/</kbd>
      <div id={`${id}list`} class="omni-list" role="listbox" aria-label="Found" hidden={!isShown || items.length === 0}>
        {items.map((item, place) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field.
          <div
            key={`${item.type} ${item.id}`}
            id={`${id}${place}`}
            role="option"
            aria-selected={place === at}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => follow(targetOfFound(item))}
          >
            <span class="sub">{TYPE_WORDS[item.type]}</span> <bdi>{showHidden(item.label)}</bdi>
          </div>
        ))}
      </div>
      <p class={isShown && items.length === 0 ? "omni-list" : "sr"} role="status">
        {isShown && (items.length > 0 ? `${items.length} found` : (known?.sentence ?? "Nothing has this name."))}
      </p>
    </form>
  );
}

/** Leaves the field: keys are the page's again. */
function focusPage(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}

async function suggest(query: string, signal?: AbortSignal): Promise<Suggestions | undefined> {
  const answer = await read<{ readonly items: readonly Found[] }>(`find?q=${encodeURIComponent(query)}`, signal);
  if (signal?.aborted) return undefined;
  if ("failure" in answer) return { query, items: [], sentence: answer.failure.sentence };
  return { query, items: answer.value.items };
}
