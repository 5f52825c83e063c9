// An `McpServer` whose tools throw the status and the body of the service, and return sentences of its authors.
import { PASSWORD, TOKEN } from "../../../../packages/core/test/peers/public/secrets.ts";
import type { InstalledServer } from "../case.ts";
import { always, PROXY_PAGE, type Reply } from "../stand-in.ts";

const refused = (status: number, code: string, detail: string, meta?: unknown): Reply => ({
  status,
  body: { type: "ErrorResponse", error: { id: "b1", status, code, detail, ...(meta === undefined ? {} : { meta }) } },
});
const search = { tool: "brave_web_search", args: { query: "tea" }, how: "thrown" } as const;

export const BRAVE: InstalledServer = {
  package: "@brave/brave-search-mcp-server",
  file: "dist/index.js",
  args: ["--transport", "stdio"],
  env: { BRAVE_API_KEY: "study" },
  is: "McpServer",
  about: "a search service, throws whole JSON texts, returns sentences",
  cases: [
    {
      name: "422: a wrong country",
      ...search,
      replies: always(
        refused(422, "VALIDATION", "Unable to validate request parameter(s)", {
          errors: [{ loc: ["query", "country"], msg: "Input should be 'AR', 'AU' or 'AT'", input: "XX" }],
        }),
      ),
      by: "service",
      needs: ["422", "country", "Input should be 'AR', 'AU' or 'AT'"],
      next: "correct",
    },
    {
      name: "422: a key that is not valid",
      ...search,
      replies: always(refused(422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid.")),
      by: "service",
      needs: ["The provided subscription token is invalid."],
      next: "person",
    },
    {
      name: "404",
      ...search,
      tool: "brave_news_search",
      replies: always(refused(404, "RESOURCE_NOT_FOUND", "The resource does not exist")),
      by: "service",
      needs: ["404", "The resource does not exist"],
      next: "correct",
    },
    {
      name: "409",
      ...search,
      replies: always(refused(409, "CONFLICT", "The search session has ended; start a new one")),
      by: "service",
      needs: ["409", "start a new one"],
      next: "correct",
    },
    {
      name: "429: with a wait",
      ...search,
      replies: always({
        ...(refused(429, "RATE_LIMITED", "Request rate limit exceeded for plan.", {
          plan: "Free",
          rate_limit: 1,
          quota_current: 2001,
          quota_limit: 2000,
        }) as object),
        status: 429,
        headers: { "retry-after": "30", "x-ratelimit-reset": "30" },
      }),
      by: "service",
      needs: ["429", "Request rate limit exceeded for plan."],
      next: "later",
    },
    {
      name: "500",
      ...search,
      replies: always(refused(500, "INTERNAL", "Internal error")),
      by: "service",
      needs: ["500"],
      next: "later",
    },
    {
      name: "502: a page of a proxy",
      ...search,
      replies: always({ status: 502, body: PROXY_PAGE }),
      by: "library",
      needs: [],
      next: "later",
    },
    { name: "connection lost", ...search, replies: always("drop"), by: "library", needs: [], next: "later" },
    { name: "silence", ...search, replies: always("silence"), by: "sdk", needs: ["timed out"], next: "later" },
    {
      name: "nothing found",
      tool: "brave_web_search",
      args: { query: "qwxz" },
      how: "returned",
      replies: always({ status: 200, body: { type: "search", web: { results: [] } } }),
      by: "author",
      needs: ["No web results found"],
      next: "correct",
    },
    {
      name: "no query",
      tool: "brave_web_search",
      args: {},
      how: "thrown",
      by: "sdk",
      needs: ["query"],
      next: "correct",
    },
    {
      name: "a count that is too high",
      tool: "brave_web_search",
      args: { query: "tea", count: 500 },
      how: "thrown",
      by: "sdk",
      needs: ["count", "20"],
      next: "correct",
    },
    {
      name: "a password in a 500",
      ...search,
      replies: always(refused(500, "INTERNAL", `postgres://web:${PASSWORD}@index.internal/pages is down`)),
      by: "service",
      needs: ["500"],
      secret: PASSWORD,
      next: "later",
    },
    {
      name: "a token in a 422",
      ...search,
      replies: always(refused(422, "VALIDATION", `goggles_id cannot be read with ${TOKEN}`)),
      by: "service",
      needs: ["goggles_id"],
      secret: TOKEN,
      next: "correct",
    },
  ],
};
