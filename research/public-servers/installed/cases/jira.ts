// Held out. An `McpServer` that returns sentences of its authors with messages of the service, without `isError`.
import { PASSWORD, TOKEN } from "../../../../packages/core/test/peers/public/secrets.ts";
import type { InstalledServer } from "../case.ts";
import { always, PROXY_PAGE } from "../stand-in.ts";

const issue = { tool: "jira_get", args: { path: "/rest/api/3/issue/SHOP-7" }, how: "returned" } as const;
const create = {
  tool: "jira_post",
  args: { path: "/rest/api/3/issue/", body: { fields: { summary: "Broken" } } },
  how: "returned",
} as const;
const refused = (status: number, ...errorMessages: readonly string[]) =>
  always({ status, body: { errorMessages, errors: {} } });

export const JIRA: InstalledServer = {
  package: "@aashari/mcp-server-atlassian-jira",
  file: "dist/index.js",
  env: {
    TRANSPORT_MODE: "stdio",
    ATLASSIAN_SITE_NAME: "shop",
    ATLASSIAN_USER_EMAIL: "ann@example.com",
    ATLASSIAN_API_TOKEN: "study",
  },
  is: "McpServer",
  about: "a REST service, returns failures without `isError`",
  cases: [
    {
      name: "404: no such issue",
      ...issue,
      replies: refused(404, "Issue does not exist or you do not have permission to see it."),
      by: "service",
      needs: ["Verify the ID is correct", "Issue does not exist or you do not have permission to see it."],
      next: "correct",
    },
    {
      name: "401",
      ...issue,
      replies: refused(401, "You are not authenticated."),
      by: "service",
      needs: ["Verify your credentials and permissions", "You are not authenticated."],
      next: "person",
    },
    {
      name: "409 of a write",
      ...create,
      replies: refused(409, "The issue was changed by another person"),
      by: "service",
      needs: ["The issue was changed by another person", "Check issue fields for validation errors"],
      next: "correct",
    },
    {
      name: "422 of a write",
      ...create,
      replies: always({ status: 422, body: { errorMessages: [], errors: { project: "project is required" } } }),
      by: "service",
      needs: ["project is required"],
      next: "correct",
    },
    {
      name: "400: a wrong query",
      ...issue,
      args: { path: "/rest/api/3/search/jql" },
      replies: always({ status: 400, body: { errorMessages: [], errors: { jql: "Field 'prio' does not exist" } } }),
      by: "author",
      needs: ["Field 'prio' does not exist", "Check your JQL syntax for errors"],
      next: "correct",
    },
    {
      name: "429: with a wait",
      ...issue,
      replies: always({
        status: 429,
        headers: { "retry-after": "30" },
        body: { errorMessages: ["Rate limit exceeded. Retry after 30 seconds."], errors: {} },
      }),
      by: "service",
      needs: ["Rate limit exceeded", "30 seconds"],
      next: "later",
    },
    {
      name: "500",
      ...issue,
      replies: refused(500, "Internal server error"),
      by: "service",
      needs: ["Jira server error", "Internal server error"],
      next: "later",
    },
    {
      name: "502: a page of a proxy",
      ...issue,
      replies: always({ status: 502, body: PROXY_PAGE }),
      by: "author",
      needs: ["Jira server error", "502"],
      next: "later",
    },
    {
      name: "connection lost",
      ...issue,
      replies: always("drop"),
      by: "author",
      needs: ["Network error connecting to Jira API"],
      next: "later",
    },
    { name: "silence", ...issue, replies: always("silence"), by: "sdk", needs: ["timed out"], next: "later" },
    {
      name: "no path",
      tool: "jira_get",
      args: {},
      how: "thrown",
      by: "sdk",
      needs: ["path"],
      next: "correct",
    },
    {
      name: "a password in a 500",
      ...issue,
      replies: refused(500, `postgres://jira:${PASSWORD}@db.internal/issues is down`),
      by: "service",
      needs: ["Jira server error"],
      secret: PASSWORD,
      next: "later",
    },
    {
      name: "a token in a 422",
      ...create,
      replies: refused(422, `webhook ${TOKEN} refused the issue`),
      by: "service",
      needs: ["refused the issue"],
      secret: TOKEN,
      next: "correct",
    },
  ],
};
