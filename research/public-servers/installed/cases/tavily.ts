// The low-level `Server` returns what axios and the service said, and throws the sentences of its authors.
import { API_KEY, PASSWORD } from "../../../../packages/core/test/peers/public/secrets.ts";
import type { InstalledServer } from "../case.ts";
import { always, PROXY_PAGE } from "../stand-in.ts";

const search = { tool: "tavily_search", args: { query: "tea" }, how: "returned" } as const;
const research = { tool: "tavily_research", args: { input: "tea" }, how: "thrown" } as const;
const DOCS = "https://docs.tavily.com";

export const TAVILY: InstalledServer = {
  package: "tavily-mcp",
  file: "build/index.js",
  env: { TAVILY_API_KEY: "tvly-study" },
  is: "Server",
  about: "a search service, low-level, returns and throws",
  cases: [
    {
      name: "400: a wrong argument",
      ...search,
      replies: always({
        status: 400,
        body: { detail: { error: "Query is too long. Max query length is 400 characters." } },
      }),
      by: "service",
      needs: ["Query is too long", "400 characters", DOCS],
      next: "correct",
    },
    {
      name: "401: no key",
      ...search,
      replies: always({ status: 401, body: { detail: { error: "Unauthorized: missing or invalid API key." } } }),
      by: "service",
      needs: ["Unauthorized: missing or invalid API key."],
      next: "person",
    },
    {
      name: "404",
      ...search,
      tool: "tavily_extract",
      args: { urls: ["https://example.com/gone"] },
      replies: always({ status: 404, body: { detail: "Not Found" } }),
      by: "service",
      needs: ["Not Found"],
      next: "correct",
    },
    {
      name: "422: an unknown value",
      ...search,
      replies: always({
        status: 422,
        body: {
          detail: [
            { loc: ["body", "topic"], msg: "value is not a valid enumeration member; permitted: 'general', 'news'" },
          ],
        },
      }),
      by: "service",
      needs: ["topic", "permitted", "general", "news"],
      next: "correct",
    },
    {
      name: "429: with a wait",
      ...search,
      replies: always({
        status: 429,
        headers: { "retry-after": "30" },
        body: { detail: { error: "Your request has been blocked due to excessive requests. Retry after 30 seconds." } },
      }),
      by: "service",
      needs: ["excessive requests", "30 seconds"],
      next: "later",
    },
    {
      name: "432: the plan is used up",
      ...search,
      replies: always({
        status: 432,
        body: { detail: { error: "This request exceeds your plan's set usage limit." } },
      }),
      by: "service",
      needs: ["exceeds your plan's set usage limit"],
      next: "person",
    },
    {
      name: "500",
      ...search,
      replies: always({ status: 500, body: { detail: { error: "Internal server error" } } }),
      by: "service",
      needs: ["Internal server error"],
      next: "later",
    },
    {
      name: "502: a page of a proxy",
      ...search,
      replies: always({ status: 502, body: PROXY_PAGE }),
      by: "library",
      needs: ["502"],
      next: "later",
    },
    { name: "connection lost", ...search, replies: always("drop"), by: "library", needs: [], next: "later" },
    { name: "silence", ...search, replies: always("silence"), by: "sdk", needs: ["timed out"], next: "later" },
    {
      name: "research: no key",
      ...research,
      replies: always({ status: 401, body: {} }),
      by: "author",
      needs: ["Invalid API key", DOCS],
      next: "person",
    },
    {
      name: "research: the limit",
      ...research,
      replies: always({ status: 429, body: {} }),
      by: "author",
      needs: ["Usage limit exceeded"],
      next: "later",
    },
    {
      name: "unknown tool",
      tool: "tavily_find",
      args: {},
      how: "thrown",
      by: "author",
      needs: [["Unknown tool: tavily_find", 'No such tool: "tavily_find"']],
      next: "correct",
    },
    {
      name: "a key in a 400",
      ...search,
      replies: always({
        status: 400,
        body: { detail: { error: `Upstream refused the key ${API_KEY}. Use another topic.` } },
      }),
      by: "service",
      needs: ["Use another topic"],
      secret: API_KEY,
      next: "correct",
    },
    {
      name: "a password in a 500",
      ...search,
      replies: always({ status: 500, body: { detail: `redis://default:${PASSWORD}@cache.internal:6379 refused` } }),
      by: "service",
      needs: ["refused"],
      secret: PASSWORD,
      next: "later",
    },
  ],
};
