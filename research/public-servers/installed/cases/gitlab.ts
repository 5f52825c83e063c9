// Held out. An `McpServer` whose authors replace the SDK's handler of tool calls: it throws messages of the service and of zod.
import { PASSWORD, TOKEN } from "../../../../packages/core/test/peers/public/secrets.ts";
import type { InstalledServer } from "../case.ts";
import { always, PROXY_PAGE } from "../stand-in.ts";

const issue = { tool: "get_issue", args: { project_id: "shop", issue_iid: "7" }, how: "thrown" } as const;
const create = { tool: "create_issue", args: { project_id: "shop", title: "Broken" }, how: "thrown" } as const;

export const GITLAB: InstalledServer = {
  package: "@zereight/mcp-gitlab",
  file: "build/index.js",
  env: { GITLAB_PERSONAL_ACCESS_TOKEN: "study", GITLAB_API_URL: "https://gitlab.example/api/v4" },
  is: "McpServer",
  about: "a REST service, throws, with a handler of its own",
  cases: [
    {
      name: "404: no such issue",
      ...issue,
      replies: always({ status: 404, body: { message: "404 Issue Not Found" } }),
      by: "service",
      needs: ["404 Issue Not Found"],
      next: "correct",
    },
    {
      name: "401",
      ...issue,
      replies: always({ status: 401, body: { message: "401 Unauthorized" } }),
      by: "service",
      needs: ["401 Unauthorized"],
      next: "person",
    },
    {
      name: "409 of a write",
      ...create,
      replies: always({ status: 409, body: { message: "An issue with this title exists: #5" } }),
      by: "service",
      needs: ["409", "An issue with this title exists: #5"],
      next: "correct",
    },
    {
      name: "422 of a write",
      ...create,
      replies: always({ status: 422, body: { message: { title: ["is too long (maximum is 255 characters)"] } } }),
      by: "service",
      needs: ["title", "is too long (maximum is 255 characters)"],
      next: "correct",
    },
    {
      name: "403: the limit",
      ...issue,
      replies: always({ status: 403, body: { message: "User API Key Rate limit exceeded" } }),
      by: "author",
      needs: ["GitLab API Rate Limit Exceeded"],
      next: "later",
    },
    {
      name: "429: with a wait",
      ...issue,
      replies: always({ status: 429, headers: { "retry-after": "30" }, body: "Retry later\n" }),
      by: "service",
      needs: ["429", "Retry later"],
      next: "later",
    },
    {
      name: "500",
      ...issue,
      replies: always({ status: 500, body: { message: "500 Internal Server Error" } }),
      by: "service",
      needs: ["500 Internal Server Error"],
      next: "later",
    },
    {
      name: "502: a page of a proxy",
      ...issue,
      replies: always({ status: 502, body: PROXY_PAGE }),
      by: "service",
      needs: ["502"],
      next: "later",
    },
    { name: "connection lost", ...issue, replies: always("drop"), by: "library", needs: [], next: "later" },
    { name: "silence", ...issue, replies: always("silence"), by: "sdk", needs: ["timed out"], next: "later" },
    {
      name: "no title",
      tool: "create_issue",
      args: { project_id: "shop" },
      how: "thrown",
      by: "author",
      needs: ["Invalid arguments", "title"],
      next: "correct",
    },
    {
      name: "unknown tool",
      tool: "close_issue",
      how: "thrown",
      by: "author",
      needs: ["close_issue"],
      next: "correct",
    },
    {
      name: "a password in a 500",
      ...issue,
      replies: always({ status: 500, body: { message: `postgres://gitlab:${PASSWORD}@db.internal/main is down` } }),
      by: "service",
      needs: ["500"],
      secret: PASSWORD,
      next: "later",
    },
    {
      name: "a token in a 422",
      ...create,
      replies: always({ status: 422, body: { message: `webhook ${TOKEN} refused the issue` } }),
      by: "service",
      needs: ["refused the issue"],
      secret: TOKEN,
      next: "correct",
    },
  ],
};
