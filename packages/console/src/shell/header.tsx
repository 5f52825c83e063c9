import { firstAnswer } from "../api/client.ts";
import { findPage } from "../pages/find-page.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { OnDemand } from "../parts/on-demand.tsx";
import { isUnreachable } from "../state/reach.ts";
import { POLL_MS } from "../state/resource.ts";
import { href, place } from "../state/router.ts";
import { isSignedOut, me, signOut } from "../state/session.ts";
import { choose, settings } from "../state/settings.ts";
import { EarlyOmnibox } from "./early-omnibox.tsx";
import { prefetchPage } from "./page-frame.tsx";

const loadWaiting = () => firstAnswer.then(() => import("./waiting-count.tsx")).then((file) => file.WaitingCount);

interface TabEntry {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  /** On a narrow window it is behind "More". */
  readonly isWideOnly?: boolean;
}

const TABS: readonly TabEntry[] = [
  { path: "", name: "Now", icon: "now" },
  { path: "incidents", name: "Incidents", icon: "list" },
  { path: "approvals", name: "Approvals", icon: "check" },
  { path: "upstreams", name: "Upstreams", icon: "plug" },
  { path: "callers", name: "Callers", icon: "person", isWideOnly: true },
  { path: "changes", name: "Changes", icon: "config", isWideOnly: true },
];

/** What the tab "More" of a narrow window holds. */
const MORE = [
  ["callers", "Callers"],
  ["changes", "Changes"],
  ["decode", "Decode"],
  ["settings", "Settings"],
] as const;

/** The head of every page: the gateway, the box to find things, how fresh the page is, who is signed in, and the tabs. */
export function Header({ onShowKeys }: { readonly onShowKeys: () => void }) {
  const path = place.value.path;
  const entry = findPage(path)?.entry;
  return (
    <header class="top">
      <div>
        <Brand />
        <EarlyOmnibox />
        <div class="side">
          <Freshness />
          <ThemeSwitch />
          <Who onShowKeys={onShowKeys} />
        </div>
        <nav class="tabs" aria-label="Pages">
          {TABS.map((tab) => (
            <a
              key={tab.path}
              href={href(tab.path)}
              class={tab.isWideOnly ? "wide" : ""}
              aria-current={entry?.tab === tab.path ? (path === tab.path ? "page" : "true") : undefined}
              onPointerEnter={() => prefetchPage(tab.path)}
              onFocus={() => prefetchPage(tab.path)}
            >
              <Icon name={tab.icon} />
              <span>{tab.name}</span>
              {tab.path === "approvals" && <OnDemand load={loadWaiting} props={{}} />}
            </a>
          ))}
          <div class="narrow">
            <Menu
              label="More pages"
              class={MORE.some(([more]) => path.startsWith(more)) ? "more current" : "more"}
              boxClass="up"
              button={
                <>
                  <Icon name="more" />
                  <span>More</span>
                </>
              }
            >
              {MORE.map(([more, name]) => (
                <a key={more} href={href(more)} aria-current={path === more ? "page" : undefined}>
                  {name}
                </a>
              ))}
            </Menu>
          </div>
        </nav>
      </div>
    </header>
  );
}

function Brand() {
  return (
    <a class="brand" href={href("")}>
      <BrandMark />
      <span>
        <span class="sr">Recourse, gateway </span>
        <b>{me.value?.name ?? "Recourse"}</b>
        {me.value !== undefined && <i>{me.value.version}</i>}
      </span>
    </a>
  );
}

/** The sign of the console. */
export function BrandMark() {
  return (
    <svg class="mark" width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <rect width="22" height="22" rx="6" fill="var(--text)" />
      <path
        d="M6.5 15V7h4.6a2.7 2.7 0 0 1 0 5.4H9.2l5.3 3.6M15.4 12.6v3.6h-3.6"
        fill="none"
        stroke="var(--surface)"
        stroke-width="1.7"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

/** Whether what is shown is asked for again and again. */
function Freshness() {
  const isStopped = isUnreachable.value !== undefined || isSignedOut.value;
  return (
    <span class={isStopped ? "freshness stopped" : "freshness"} title="Pages ask again while they are visible">
      <i />
      {isStopped ? "Not updated" : `Every ${POLL_MS / 1_000} s`}
    </span>
  );
}

/** Switches between dark and light. That the system decides is a choice of the settings. */
function ThemeSwitch() {
  const { theme } = settings.value;
  const isDark = theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
  return (
    <button
      type="button"
      class="quiet square"
      aria-label={isDark ? "Switch to light" : "Switch to dark"}
      title={isDark ? "Switch to light" : "Switch to dark"}
      onClick={() => choose({ theme: isDark ? "light" : "dark" })}
    >
      <Icon name={isDark ? "sun" : "moon"} />
    </button>
  );
}

function Who({ onShowKeys }: { readonly onShowKeys: () => void }) {
  if (me.value === undefined) return null;
  return (
    <Menu
      label="You"
      class="who"
      boxClass="end"
      button={
        <>
          <span class="sr">Signed in as </span>
          <b>{me.value.id}</b>
          <i>{me.value.role}</i>
        </>
      }
    >
      {(close) => (
        <>
          <a href={href("decode")}>Decode</a>
          <a href={href("settings")}>Settings</a>
          <button
            type="button"
            onClick={() => {
              close();
              onShowKeys();
            }}
          >
            Keyboard
          </button>
          <button type="button" onClick={() => void signOut()}>
            Sign out
          </button>
        </>
      )}
    </Menu>
  );
}
