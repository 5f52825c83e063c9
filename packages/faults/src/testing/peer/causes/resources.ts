// Errors of resources, their templates, lists and subscriptions.
import { objectAt, stringAt } from "../../../json/read.ts";
import type { Cause } from "../provoke.ts";
import type { RawClient } from "../raw-client.ts";

const readUri = (uri: string) => (client: RawClient) => client.request("resources/read", { uri });
const renderUri = (uriTemplate: string) => (client: RawClient) =>
  client.request("resources/templates/render", { uriTemplate });

export const RESOURCE_CAUSES: readonly Cause[] = [
  {
    code: -32001,
    reason: "resource/not_found",
    description: "A client reads a resource that does not exist.",
    run: readUri("mcp://nonexistent"),
  },
  {
    code: -32006,
    reason: "resource/subscription_failed",
    description: "A client subscribes to the same resource twice.",
    async run(client) {
      await client.request("resources/subscribe", { uri: "mcp://config" });
      return client.request("resources/subscribe", { uri: "mcp://config" });
    },
  },
  {
    code: -32008,
    reason: "transport/failed",
    description: "Reading a resource fails because its host resets the connection.",
    run: readUri("mcp://remote"),
  },
  {
    code: -32009,
    reason: "core/timeout",
    description: "Reading a resource exceeds the time limit of a request.",
    limits: { requestMs: 30 },
    run: readUri("mcp://slow"),
  },
  {
    code: -32021,
    reason: "resource/template_not_found",
    description: "A client renders a template that does not exist.",
    run: renderUri("pages://{number}"),
  },
  {
    code: -32022,
    reason: "resource/invalid_uri",
    description: "A URI has no scheme.",
    run: readUri("not-a-valid-uri"),
  },
  {
    code: -32023,
    reason: "resource/uri_syntax",
    description: "A URI has an invalid escape sequence.",
    run: readUri("mcp://a%zz"),
  },
  {
    code: -32025,
    reason: "resource/access_denied",
    description: "A client reads a protected resource without the permission.",
    run: readUri("mcp://vault"),
  },
  {
    code: -32029,
    reason: "resource/template_render_failed",
    description: "A client renders a template without one of its values.",
    run: renderUri("logs://{date}"),
  },
  {
    code: -32071,
    reason: "pagination/invalid_cursor",
    description: "A client asks for a page with an unknown cursor.",
    run: (client) => client.request("resources/list", { cursor: "invalid_cursor_string" }),
  },
  {
    code: -32072,
    reason: "pagination/cursor_expired",
    description: "A client asks for a page with an expired cursor.",
    limits: { pageSize: 2, cursorMs: 300_000 },
    async run(client) {
      const first = await client.request("resources/list");
      client.advanceClock(300_000);
      return client.request("resources/list", { cursor: stringAt(objectAt(first, "result"), "nextCursor") });
    },
  },
  {
    code: -32094,
    reason: "notification/failed",
    description: "A resource changes while its subscriber has no open stream.",
    async run(client) {
      await client.request("resources/subscribe", { uri: "mcp://config" });
      return client.request("resources/touch", { uri: "mcp://config" });
    },
  },
];
