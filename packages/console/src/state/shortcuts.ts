// Keys that do something. Single keys are left alone inside fields, with modifiers, and while a dialog is open.
import { useEffect, useRef } from "preact/hooks";
import { settings } from "./settings.ts";

/**
 * What keys do, by name: `j`, `.`, `?`, `Escape`; `g n` for two keys one after the other; `Ctrl k` for Control or Command.
 * Undefined leaves a key alone.
 */
export type ShortcutTable = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>;

/** The second key of a sequence comes within this time. */
const SEQUENCE_MS = 1_500;

/** What matters of a key that was pressed. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Where the focus is: keys belong to fields, and Enter and Space to whatever can be pressed. */
  readonly at: "field" | "control" | "page";
  /** Whether a dialog is open. */
  readonly isModal: boolean;
}

/** The name of a pressed key in a table, after `before`, the first key of a sequence; undefined: it is not for us. */
export function nameShortcut(
  pressed: PressedKey,
  { before, isOn }: { readonly before?: string | undefined; readonly isOn: boolean },
): string | undefined {
  const { key, at, isModal } = pressed;
  if (isModal || pressed.altKey) return undefined;
  if (pressed.ctrlKey || pressed.metaKey) return key.length === 1 ? `Ctrl ${key.toLowerCase()}` : undefined;
  if (at === "field") return undefined;
  // Named keys, such as Escape, are not typed by accident: the switch of the settings is not about them.
  if (key.length > 1) return at === "control" && key === "Enter" ? undefined : key;
  if (!isOn || key === " ") return undefined;
  return before === undefined ? key : `${before} ${key}`;
}

const tables: { current: ShortcutTable }[] = [];
let first: { readonly key: string; readonly at: number } | undefined;

/** Listens to keys while the component is shown. Of two tables with one key, the later one counts. */
export function useShortcuts(table: ShortcutTable): void {
  const present = useRef(table);
  present.current = table;
  useEffect(() => {
    tables.push(present);
    return () => void tables.splice(tables.indexOf(present), 1);
  }, []);
}

/** Starts to listen. Gives what ends it. */
export function startShortcuts(): () => void {
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const before = first !== undefined && event.timeStamp - first.at < SEQUENCE_MS ? first.key : undefined;
  first = undefined;
  const pressed = {
    key: event.key,
    ctrlKey: event.ctrlKey,
    metaKey: event.metaKey,
    altKey: event.altKey,
    at: whereFocusIs(event.target),
    isModal: document.querySelector("dialog:modal") !== null,
  } as const;
  const isOn = settings.value.shortcuts;
  const act = findAct(nameShortcut(pressed, { before, isOn })) ?? findAct(nameShortcut(pressed, { isOn }));
  if (act !== undefined) {
    event.preventDefault();
    act(event);
  } else if (
    isOn &&
    pressed.at !== "field" &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    startsSequence(event.key)
  )
    first = { key: event.key, at: event.timeStamp };
}

function findAct(name: string | undefined): ((event: KeyboardEvent) => void) | undefined {
  return name === undefined ? undefined : tables.findLast((table) => table.current[name] !== undefined)?.current[name];
}

function startsSequence(key: string): boolean {
  return tables.some((table) => Object.keys(table.current).some((name) => name.startsWith(`${key} `)));
}

/** What takes letters. A box to tick takes none. */
const FIELDS = "textarea, select, input:not([type=checkbox], [type=radio])";

function whereFocusIs(target: EventTarget | null): PressedKey["at"] {
  if (!(target instanceof HTMLElement)) return "page";
  if (target.isContentEditable || target.closest(FIELDS) !== null) return "field";
  return target.closest("a, button, summary, input") === null ? "page" : "control";
}
