// What a person has chosen, kept in this browser: the theme, the zone of times, shortcuts and notifications.
import { effect, signal } from "@preact/signals";

/** The choices. */
export interface Settings {
  readonly theme: "auto" | "light" | "dark";
  /** The zone that every time is shown in: tables, charts, tool tips and copied text alike. */
  readonly zone: "utc" | "local";
  /** Whether single keys do something. */
  readonly shortcuts: boolean;
  /** Whether the browser tells of new approvals. */
  readonly notifications: boolean;
}

const SETTINGS_NAME = "recourse-console";
const DEFAULTS: Settings = { theme: "auto", zone: "utc", shortcuts: true, notifications: false };

/** The present choices. */
export const settings = signal<Settings>(keptSettings());

/** Changes some of them. */
export function choose(changes: Partial<Settings>): void {
  settings.value = { ...settings.value, ...changes };
}

/** Keeps the choices, and shows the theme. */
export function startSettings(): void {
  effect(() => {
    const { theme } = settings.value;
    if (theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    try {
      localStorage.setItem(SETTINGS_NAME, JSON.stringify(settings.value));
    } catch {
      // A browser that keeps nothing still shows the page.
    }
  });
}

function keptSettings(): Settings {
  try {
    const kept = JSON.parse(localStorage.getItem(SETTINGS_NAME) ?? "{}") as Partial<Settings>;
    return {
      theme: kept.theme === "light" || kept.theme === "dark" ? kept.theme : DEFAULTS.theme,
      zone: kept.zone === "local" ? "local" : DEFAULTS.zone,
      shortcuts: kept.shortcuts !== false,
      notifications: kept.notifications === true,
    };
  } catch {
    return DEFAULTS;
  }
}
