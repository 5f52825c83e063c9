// The low-level `Server`, bundled with its SDK, returns the body of the service as a whole-JSON text with `status: "error"`, and
// without `isError`.
import { API_KEY, PASSWORD } from "../../../../packages/core/test/peers/public/secrets.ts";
import type { InstalledServer } from "../case.ts";
import { always, PROXY_PAGE, type Reply } from "../stand-in.ts";

const refused = (status: number, code: string, message: string): Reply => ({
  status,
  body: { object: "error", status, code, message, request_id: "5f2a" },
});
const PAGE = "1c9d4e6f-7a8b-4c3d-9e0f-112233445566";
const page = { tool: "API-retrieve-a-page", args: { page_id: PAGE }, how: "returned" } as const;
const patch = { tool: "API-patch-page", args: { page_id: PAGE, properties: {} }, how: "returned" } as const;

export const NOTION: InstalledServer = {
  package: "@notionhq/notion-mcp-server",
  file: "bin/cli.mjs",
  env: { NOTION_TOKEN: "ntn_study" },
  is: "Server",
  about: "a REST service, low-level, returns whole-JSON texts without `isError`, SDK bundled",
  cases: [
    {
      name: "404: no such page",
      ...page,
      replies: always(
        refused(
          404,
          "object_not_found",
          `Could not find page with ID: ${PAGE}. Make sure the relevant pages and databases are shared with your integration.`,
        ),
      ),
      by: "service",
      needs: ["Could not find page with ID", "shared with your integration"],
      next: "correct",
    },
    {
      name: "401: no token",
      ...page,
      replies: always(refused(401, "unauthorized", "API token is invalid.")),
      by: "service",
      needs: ["API token is invalid."],
      next: "person",
    },
    {
      name: "400: a wrong body",
      ...patch,
      replies: always(
        refused(
          400,
          "validation_error",
          'body failed validation: body.properties.Price.number should be a number, instead was `"x"`.',
        ),
      ),
      by: "service",
      needs: ["body.properties.Price.number should be a number"],
      next: "correct",
    },
    {
      name: "409: a conflict",
      ...patch,
      replies: always(refused(409, "conflict_error", "Conflict occurred while saving. Please try again.")),
      by: "service",
      needs: ["Conflict occurred while saving", "Please try again"],
      next: "later",
    },
    {
      name: "422",
      ...patch,
      replies: always(refused(422, "unprocessable_entity", "Property Price does not exist.")),
      by: "service",
      needs: ["Property Price does not exist."],
      next: "correct",
    },
    {
      name: "429: with a wait",
      ...page,
      replies: always({
        ...(refused(429, "rate_limited", "You have been rate limited. Please try again in a few minutes.") as object),
        status: 429,
        headers: { "retry-after": "30" },
      }),
      by: "service",
      needs: ["You have been rate limited", "try again in a few minutes"],
      next: "later",
    },
    {
      name: "500",
      ...page,
      replies: always(refused(500, "internal_server_error", "Unexpected error occurred.")),
      by: "service",
      needs: ["Unexpected error occurred."],
      next: "later",
    },
    {
      name: "502: a page of a proxy",
      ...page,
      replies: always({ status: 502, body: PROXY_PAGE }),
      by: "service",
      needs: [],
      next: "later",
    },
    {
      name: "connection lost",
      ...page,
      how: "thrown",
      replies: always("drop"),
      by: "library",
      needs: [],
      next: "later",
    },
    { name: "silence", ...page, replies: always("silence"), by: "sdk", needs: ["timed out"], next: "later" },
    {
      name: "unknown tool",
      tool: "API-get-page",
      how: "thrown",
      by: "author",
      needs: [["Method API-get-page not found", 'No such tool: "API-get-page"']],
      next: "correct",
    },
    {
      name: "a password in a 500",
      ...page,
      replies: always(
        refused(500, "internal_server_error", `connect postgres://notion:${PASSWORD}@db.internal/blocks`),
      ),
      by: "service",
      needs: [],
      secret: PASSWORD,
      next: "later",
    },
    {
      name: "a key in a 400",
      ...patch,
      replies: always(refused(400, "validation_error", `Price cannot be ${API_KEY}`)),
      by: "service",
      needs: ["Price cannot be"],
      secret: API_KEY,
      next: "correct",
    },
  ],
};
