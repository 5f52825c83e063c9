// What is wrong with resources, their templates, lists and subscriptions.
import { objectAt, stringAt } from "../../../dialects/wire.ts";
import type { Cause } from "./cause.ts";
import type { Probe } from "./probe.ts";

const read = (uri: string) => (probe: Probe) => probe.ask("resources/read", { uri });
const render = (uriTemplate: string) => (probe: Probe) => probe.ask("resources/templates/render", { uriTemplate });

export const RESOURCES: readonly Cause[] = [
  {
    code: -32001,
    reason: "resource/not_found",
    cause: "A resource is read that does not exist.",
    ask: read("mcp://nonexistent"),
  },
  {
    code: -32006,
    reason: "resource/subscription_failed",
    cause: "A client subscribes to the same resource twice.",
    async ask(probe) {
      await probe.ask("resources/subscribe", { uri: "mcp://config" });
      return probe.ask("resources/subscribe", { uri: "mcp://config" });
    },
  },
  {
    code: -32008,
    reason: "transport/failed",
    cause: "A resource comes from a host that resets the connection.",
    ask: read("mcp://remote"),
  },
  {
    code: -32009,
    reason: "core/timeout",
    cause: "The reader of a resource waits for longer than a request may take.",
    limits: { requestMs: 30 },
    ask: read("mcp://slow"),
  },
  {
    code: -32021,
    reason: "resource/template_not_found",
    cause: "A template is filled in that does not exist.",
    ask: render("pages://{number}"),
  },
  { code: -32022, reason: "resource/invalid_uri", cause: "A URI has no scheme.", ask: read("not-a-valid-uri") },
  { code: -32023, reason: "resource/uri_syntax", cause: "A URI has a broken escape.", ask: read("mcp://a%zz") },
  {
    code: -32025,
    reason: "resource/access_denied",
    cause: "A protected resource is read without the permission.",
    ask: read("mcp://vault"),
  },
  {
    code: -32029,
    reason: "resource/template_render_failed",
    cause: "A template is filled in without one of its values.",
    ask: render("logs://{date}"),
  },
  {
    code: -32071,
    reason: "pagination/invalid_cursor",
    cause: "A page is asked for with a cursor that the peer never gave.",
    ask: (probe) => probe.ask("resources/list", { cursor: "invalid_cursor_string" }),
  },
  {
    code: -32072,
    reason: "pagination/cursor_expired",
    cause: "A page is asked for when its cursor is too old.",
    limits: { pageSize: 2, cursorMs: 300_000 },
    async ask(probe) {
      const first = await probe.ask("resources/list");
      probe.pass(300_000);
      return probe.ask("resources/list", { cursor: stringAt(objectAt(first, "result"), "nextCursor") });
    },
  },
  {
    code: -32094,
    reason: "notification/failed",
    cause: "A resource changes whose subscriber holds no stream open.",
    async ask(probe) {
      await probe.ask("resources/subscribe", { uri: "mcp://config" });
      return probe.ask("resources/touch", { uri: "mcp://config" });
    },
  },
];
