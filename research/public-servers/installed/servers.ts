// The servers from npm that are installed for this study, in their own folder and with their own lock.
import type { InstalledServer } from "./case.ts";
import { BRAVE } from "./cases/brave.ts";
import { DBHUB } from "./cases/dbhub.ts";
import { DESKTOP_COMMANDER } from "./cases/desktop-commander.ts";
import { FIRECRAWL } from "./cases/firecrawl.ts";
import { GITHUB } from "./cases/github.ts";
import { GITLAB } from "./cases/gitlab.ts";
import { JIRA } from "./cases/jira.ts";
import { KUBERNETES } from "./cases/kubernetes.ts";
import { MYSQL } from "./cases/mysql.ts";
import { NOTION } from "./cases/notion.ts";
import { SENTRY } from "./cases/sentry.ts";
import { TAVILY } from "./cases/tavily.ts";
import { TRELLO } from "./cases/trello.ts";

/** Servers whose guarded texts were read while the library was written. */
export const SERVERS = {
  brave: BRAVE,
  sentry: SENTRY,
  trello: TRELLO,
  dbhub: DBHUB,
  github: GITHUB,
  notion: NOTION,
  tavily: TAVILY,
  firecrawl: FIRECRAWL,
  kubernetes: KUBERNETES,
  "desktop-commander": DESKTOP_COMMANDER,
  mysql: MYSQL,
} as const satisfies Readonly<Record<string, InstalledServer>>;

/**
 * Servers that were chosen before anyone read one of their guarded texts. Their cases were written from their sources, and tried on
 * the bare servers only.
 */
export const HELD_OUT = {
  gitlab: GITLAB,
  jira: JIRA,
} as const satisfies Readonly<Record<string, InstalledServer>>;
