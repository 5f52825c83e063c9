// Which page an address shows. The table is the map of the console. Every page but the first is loaded when it is needed.
import type { ComponentType } from "preact";
import { NowPage } from "./now/now-page.tsx";

/** What shows a page. */
type PageComponent = ComponentType<{ readonly id: string }>;

/** A page and how it is found. */
export interface PageEntry {
  /** The path below `/console/`. What it captures is the id. */
  readonly path: RegExp;
  /** The tab that is marked; undefined: none. */
  readonly tab: string | undefined;
  /** The title of the document, before the name of the gateway. */
  readonly title: string;
  readonly load: () => Promise<PageComponent>;
  /** It is there at the first paint. */
  readonly page?: PageComponent;
}

/** Styles of all pages but the first. They come before those of the page itself, which may change them. */
function withStyle(load: () => Promise<PageComponent>): () => Promise<PageComponent> {
  return async () => {
    const [, page] = await Promise.all([import("../style/details.css"), load()]);
    return page;
  };
}

const loadIncident = withStyle(() => import("./incidents/incident-page.tsx").then((file) => file.IncidentPage));
const loadIncidents = withStyle(() => import("./incidents/incidents-page.tsx").then((file) => file.IncidentsPage));
const loadCause = withStyle(() => import("./incidents/cause-page.tsx").then((file) => file.CausePage));
const loadApprovals = withStyle(() => import("./approvals/approvals-page.tsx").then((file) => file.ApprovalsPage));
const loadApproval = withStyle(() => import("./approvals/approval-page.tsx").then((file) => file.ApprovalPage));
const loadUpstreams = withStyle(() => import("./upstreams/upstreams-page.tsx").then((file) => file.UpstreamsPage));
const loadUpstream = withStyle(() => import("./upstreams/upstream-page.tsx").then((file) => file.UpstreamPage));
const loadCallers = withStyle(() => import("./callers/callers-page.tsx").then((file) => file.CallersPage));
const loadCaller = withStyle(() => import("./callers/caller-page.tsx").then((file) => file.CallerPage));
const loadChanges = withStyle(() => import("./changes/changes-page.tsx").then((file) => file.ChangesPage));
const loadDecode = withStyle(() => import("./decode/decode-page.tsx").then((file) => file.DecodePage));
const loadSettings = withStyle(() => import("./settings/settings-page.tsx").then((file) => file.SettingsPage));

const PAGES: readonly PageEntry[] = [
  { path: /^$/, tab: "", title: "Now", page: NowPage, load: () => Promise.resolve(NowPage) },
  { path: /^incidents$/, tab: "incidents", title: "Incidents", load: loadIncidents },
  { path: /^i\/([^/]+)$/, tab: "incidents", title: "Incident", load: loadIncident },
  { path: /^c\/([^/]+)$/, tab: "incidents", title: "Cause", load: loadCause },
  { path: /^approvals$/, tab: "approvals", title: "Approvals", load: loadApprovals },
  { path: /^approvals\/([^/]+)$/, tab: "approvals", title: "Approval", load: loadApproval },
  { path: /^upstreams$/, tab: "upstreams", title: "Upstreams", load: loadUpstreams },
  { path: /^upstreams\/([^/]+)$/, tab: "upstreams", title: "Upstream", load: loadUpstream },
  { path: /^callers$/, tab: "callers", title: "Callers", load: loadCallers },
  { path: /^callers\/(.+)$/, tab: "callers", title: "Caller", load: loadCaller },
  { path: /^changes$/, tab: "changes", title: "Changes", load: loadChanges },
  { path: /^decode$/, tab: undefined, title: "Decode", load: loadDecode },
  { path: /^settings$/, tab: undefined, title: "Settings", load: loadSettings },
];

/** The page of a path, and the id in it; undefined if there is no such page. */
export function findPage(path: string): { readonly entry: PageEntry; readonly id: string } | undefined {
  for (const entry of PAGES) {
    const found = entry.path.exec(path);
    if (found !== null) return { entry, id: decodePart(found[1] ?? "") };
  }
  return undefined;
}

/** An id out of an address. One that was encoded wrongly is taken as it is. */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
