import { choice, count, duration, flag, text, webUrl } from "./leaves.ts";
import type { SchemaNode } from "./schema-node.ts";
import { DIALECT_NAMES } from "./types.ts";

const CREDENTIAL: SchemaNode = {
  type: "object",
  title: "{ bearer: … } or { header: …, value: … }",
  description: "What the gateway shows to the upstream. Credentials of callers never reach an upstream.",
  additionalProperties: false,
  properties: {
    bearer: text("Sent as `Authorization: Bearer …`.", { writeOnly: true, title: "a token" }),
    header: text("The name of a header, with its `value`.", {
      pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
      title: "the name of a header",
    }),
    value: text("The value of `header`.", { writeOnly: true, title: "the value of the header" }),
  },
};

/** One server behind the gateway. */
export const UPSTREAM: SchemaNode = {
  type: "object",
  title: "a mapping with url, command or openapi",
  additionalProperties: false,
  properties: {
    url: webUrl("An MCP server over Streamable HTTP.", { examples: ["https://shop.internal/mcp"] }),
    command: {
      type: "array",
      title: "a list such as [node, server.js]",
      description: "An MCP server over stdio: a program and its arguments. The gateway starts it.",
      minItems: 1,
      items: { type: "string" },
    },
    openapi: text("A REST API: file or URL of its OpenAPI document. Files are relative to this file.", {
      examples: ["./crm.yaml"],
    }),
    prefix: {
      type: "string",
      title: "letters, digits, dots, dashes and underscores, or an empty text",
      description:
        "Stands before the names of its tools and prompts. Without it: the name of the upstream and `__`, as in `shop__refund`. Empty: names stay as they are, for a file with one upstream. No prefix may begin with that of another upstream, so that a name belongs to one upstream, also while that one is away.",
      pattern: "^[A-Za-z0-9._-]{0,48}$",
      examples: ["shop__"],
    },
    credential: CREDENTIAL,
    foreignText: choice(
      ["hide", "public", "quote", "raw"],
      "What callers read of the upstream's own error texts. `hide`: nothing; they are in the log. `public`: what it wrote for callers, after the filter. `quote`: all of it after the filter. `raw`: all of it as it came. Without it: `public`, and `hide` for callers of the dialect qaqnuz.",
    ),
    speaksFaults: flag("The upstream uses Recourse and is yours: its faults are passed on whole.", false),
    trustAnnotations: flag(
      "What the upstream says about its tools is true: a call of a tool that it calls read-only changes nothing.",
      false,
    ),
    dialect: choice(DIALECT_NAMES, "The error format that its failures are read in before others are tried."),
    timeout: duration("How long an answer is waited for.", "30s"),
    maxCalls: count(
      "Calls under way at one moment, in one replica. When more than half are used, each caller has a share of them: callers over their share wait.",
      { default: 1_024 },
    ),
    idempotency: choice(
      ["none", "honoured"],
      "`honoured`: the upstream runs a call with the same idempotency key once, so it may be sent again.",
      { default: "none" },
    ),
    era: choice(
      ["auto", "2026-07-28", "2025-11-25"],
      "With `url`: the revision of MCP that it speaks. `auto` finds out.",
      { default: "auto" },
    ),
    server: webUrl("With `openapi`: the address of the API, where the document does not name the right one."),
    allowPrivate: {
      type: "boolean",
      title: "true or false",
      description:
        "With `openapi`: whether the API may be reached at private addresses, such as `10.0.0.1`. Without it: where its host has one at the first look-up; a host that was public is never reached at a private address.",
    },
    environment: {
      type: "object",
      title: "a mapping from names to values",
      description:
        "With `command`: variables for the program. It gets these, and of the gateway's own only what programs need to start, such as `PATH`.",
      additionalProperties: { type: "string", title: "a text", writeOnly: true },
    },
    cwd: text("With `command`: the folder that the program starts in. Without it: the folder of this file."),
    per: choice(
      ["replica", "caller"],
      "With `command`: one program for all callers, or one for each caller. Take `caller` for programs that keep a state.",
      { default: "replica" },
    ),
    maxChildren: count("With `per: caller`: the most programs at one moment.", { default: 16 }),
    idle: duration("With `per: caller`: a program without calls for so long is ended.", "5m"),
  },
};

/** Options that belong to one way of reaching an upstream. */
export const ONLY_WITH = {
  era: "url",
  server: "openapi",
  allowPrivate: "openapi",
  environment: "command",
  cwd: "command",
  per: "command",
  maxChildren: "command",
  idle: "command",
} as const satisfies Record<string, "url" | "command" | "openapi">;
