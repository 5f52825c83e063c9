import { PRINTABLE } from "./control-characters.ts";
import { choice, count, duration, flag, list, patterns, rate, size, text, webUrl } from "./leaves.ts";
import type { SchemaNode } from "./schema-node.ts";
import { ADMIN_ROLES, DIALECT_NAMES } from "./types.ts";
import { UPSTREAM } from "./upstream-schema.ts";

const LISTEN = "^(?:(?:\\[[0-9a-fA-F:.]+\\]|[^\\s:/\\[\\]]+):)?\\d{1,5}$";

const STORE: SchemaNode = {
  title: "memory, or { redis: …, postgres: … }",
  description:
    "Where limits, sessions and keys are kept. There is no default. `memory` keeps them in this one process: a second process would count for itself, and everything is lost when it stops. Write Redis and PostgreSQL to run several processes.",
  anyOf: [
    { type: "string", title: "memory, or { redis: …, postgres: … }", const: "memory" },
    {
      type: "object",
      additionalProperties: false,
      required: ["redis", "postgres"],
      properties: {
        redis: {
          title: "a redis:// or rediss:// URL, or a list of them",
          description: "The address of Redis, for limits and sessions. With a cluster: some of its nodes.",
          writeOnly: true,
          anyOf: [
            { type: "string", title: "a redis:// or rediss:// URL", pattern: "^rediss?://[^\\s/]", writeOnly: true },
            {
              type: "array",
              minItems: 1,
              items: {
                type: "string",
                title: "a redis:// or rediss:// URL",
                pattern: "^rediss?://[^\\s/]",
                writeOnly: true,
              },
            },
          ],
        },
        cluster: flag("Whether the addresses of Redis are those of a cluster.", false),
        postgres: {
          type: "string",
          title: "a postgres:// URL",
          description: "The address of PostgreSQL, for API keys that can be added and revoked while the gateway runs.",
          pattern: "^postgres(?:ql)?://[^\\s]",
          writeOnly: true,
        },
      },
    },
  ],
};

const KEY: SchemaNode = {
  type: "object",
  additionalProperties: false,
  required: ["id", "sha256"],
  properties: {
    id: text("A name for the key. It is shown in logs, and limits for keys count by it.", {
      pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
      title: "1 to 64 letters, digits, dots, dashes or underscores",
    }),
    tenant: text("Whose key it is. Limits for tenants count by it.", {
      default: "default",
      pattern: PRINTABLE,
      title: "a name without control characters",
    }),
    sha256: text("SHA-256 of the key in hex. The key itself is never in the file; `recourse keys add` makes both.", {
      pattern: "^[0-9a-fA-F]{64}$",
      title: "64 hexadecimal digits",
    }),
    tools: patterns("The tools that this caller sees."),
    scopes: list("Scopes of this caller, for `tools.<pattern>.scopes`.", { default: [] }),
    entitlements: list("What this caller has bought, for `tools.<pattern>.entitlement`.", { default: [] }),
    dialect: choice(DIALECT_NAMES, "The error format that failures are written in for this caller.", {
      examples: ["mcp"],
    }),
  },
};

const JWT: SchemaNode = {
  type: "object",
  description: "Accept tokens of an identity provider besides API keys. Needs `publicUrl`.",
  additionalProperties: false,
  required: ["issuer", "audience"],
  properties: {
    issuer: webUrl("The `iss` that tokens must have."),
    audience: text("The `aud` that tokens must have."),
    jwksUrl: webUrl(
      "Where the keys of the issuer are. Without it: `/.well-known/jwks.json` below the address of the issuer.",
    ),
    tenantClaim: text("The claim that names the tenant.", { default: "tenant" }),
    entitlementsClaim: text("The claim that lists what the caller has bought. Without it: nothing."),
    tools: patterns("The tools that callers with a token see."),
    dialect: choice(DIALECT_NAMES, "The error format that failures are written in for these callers."),
  },
};

const TOOL: SchemaNode = {
  type: "object",
  additionalProperties: false,
  properties: {
    hidden: flag("Nobody sees the tool, and nobody can call it.", false),
    scopes: list("Scopes that a caller needs, all of them.", { default: [] }),
    entitlement: text("What a caller must have bought."),
    cost: count("How many units of `limits.cost` a call takes.", { default: 1 }),
  },
};

const LIMITS: SchemaNode = {
  type: "object",
  description: "How many calls are let through. Each limit is optional; all that are written apply together.",
  additionalProperties: false,
  properties: {
    address: rate("For each address that callers connect from. Counted in each process."),
    key: rate("For each caller: an API key, or the subject of a token."),
    tenant: rate("For all callers of a tenant together."),
    cost: rate("Units of cost for all callers of a tenant together; see `tools.<pattern>.cost`."),
    tools: {
      type: "object",
      description: "For all callers together, by tool name or pattern.",
      additionalProperties: rate("The limit of the tools that match."),
    },
    mode: choice(
      ["leased", "exact"],
      "`leased`: a process that sees many calls takes several tokens at once from Redis. `exact`: each call asks Redis. Both never let through more than the limit.",
      { default: "leased" },
    ),
  },
};

const ADMIN_KEY: SchemaNode = {
  type: "object",
  additionalProperties: false,
  required: ["id", "sha256"],
  properties: {
    id: text("A name for the key. It is shown in the audit.", {
      pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
      title: "1 to 64 letters, digits, dots, dashes or underscores",
    }),
    sha256: text("SHA-256 of the key in hex, as for callers. `recourse keys add` makes both.", {
      pattern: "^[0-9a-fA-F]{64}$",
      title: "64 hexadecimal digits",
    }),
    role: choice(
      ADMIN_ROLES,
      "`viewer` reads. `approver` decides approvals too. `admin` also manages keys, breakers and erasure.",
      { default: "viewer" },
    ),
  },
};

/** Idempotency, approvals, breakers, incidents and the API for operators. */
const CONTROLS: Readonly<Record<string, SchemaNode>> = {
  idempotency: {
    type: "object",
    description:
      "Calls with an idempotency key run at most once. With PostgreSQL the keys are kept there. With `store: memory` the gateway keeps none, unless you say so.",
    additionalProperties: false,
    properties: {
      keep: duration("How long the outcome of a call with a key is kept.", "1h"),
      memory: flag("With `store: memory`: keep keys in this process. They are lost when it stops.", false),
    },
  },
  approvals: {
    type: "object",
    description: "Calls that a person has to approve first. Needs `admin`.",
    additionalProperties: false,
    properties: {
      tools: list("The tools whose calls need an approval, by name or pattern.", { default: [] }),
      denied: list("The tools that nobody may call, by name or pattern; callers learn that a policy refuses them.", {
        default: [],
      }),
      expires: duration("How long a decision is waited for, and how long it counts.", "15m"),
      link: webUrl("Where a person decides. `{id}` is replaced by the id of the approval.", {
        examples: ["https://ops.example.com/approvals/{id}"],
      }),
    },
  },
  breaker: {
    type: "object",
    description: "An upstream that fails again and again is not asked for a while. All processes share what they know.",
    additionalProperties: false,
    properties: {
      enabled: flag("Whether there are breakers.", true),
      failures: count("How many failures in a row open it, in one process.", { default: 5 }),
      pause: duration("The first pause. It doubles with each probe that fails.", "1s"),
      maxPause: duration("The longest pause.", "30s"),
    },
  },
  incidents: {
    type: "object",
    description: "What is kept of failures that concern you. With PostgreSQL they are kept there.",
    additionalProperties: false,
    properties: {
      keep: duration("How long incidents are kept.", "720h"),
      samples: count("How many incidents of one kind are kept with all details, in each process and minute.", {
        default: 20,
      }),
      callers: choice(
        ["keep", "digest", "drop"],
        "Whether the id of the caller is kept. `digest`: it can be erased, but not read.",
        { default: "keep" },
      ),
      texts: choice(["keep", "drop"], "Whether texts of errors are kept, after secrets are removed.", {
        default: "keep",
      }),
    },
  },
  admin: {
    type: "object",
    description: "The API for operators. It listens on an address of its own.",
    additionalProperties: false,
    required: ["keys"],
    properties: {
      listen: text("Address and port. Port 0 takes a free one.", {
        title: "a port, or host:port",
        pattern: LISTEN,
        default: "127.0.0.1:8081",
      }),
      keys: { type: "array", title: "a list of keys", description: "Who may use it.", minItems: 1, items: ADMIN_KEY },
    },
  },
};

/** The configuration file, as a JSON Schema. Reading, editors and the page of the options all use it. */
export const CONFIG_SCHEMA: SchemaNode = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://recourse.dev/schema/gateway.json",
  title: "a mapping with the options of the gateway",
  description: "The configuration of the Recourse gateway.",
  type: "object",
  additionalProperties: false,
  required: ["store", "upstreams"],
  properties: {
    $schema: text("For editors: where the schema of this file is.", { examples: ["./gateway.schema.json"] }),
    name: text("The name of the gateway. Callers see it in failures.", { default: "gateway" }),
    listen: text("Address and port to listen on. Port 0 takes a free one.", {
      title: "a port, or host:port",
      pattern: LISTEN,
      default: "127.0.0.1:8080",
    }),
    path: text("The path of the MCP endpoint.", {
      title: "a path such as /mcp",
      pattern: "^/[A-Za-z0-9/._~-]*$",
      default: "/mcp",
    }),
    publicUrl: webUrl("The address that callers use, where it differs from `listen`. Needed for `jwt`.", {
      examples: ["https://mcp.example.com"],
    }),
    hosts: {
      title: "a list of host names, or any",
      description: "The `Host` headers that are accepted. Without it: names of this machine, and that of `publicUrl`.",
      anyOf: [
        { type: "string", title: "a list of host names, or any", const: "any" },
        { type: "array", items: { type: "string", minLength: 1 } },
      ],
    },
    origins: {
      title: "a list of origins, or any",
      description:
        "The `Origin` headers of browsers that are accepted. Without it: those of this machine, and that of `publicUrl`.",
      anyOf: [
        { type: "string", title: "a list of origins, or any", const: "any" },
        { type: "array", items: { type: "string", minLength: 1 } },
      ],
    },
    proxies: list(
      "Proxies and load balancers in front of the gateway. From these, the last address in `Forwarded` or `X-Forwarded-For` that is none of them is taken as the address of the caller; from others the headers are ignored.",
      { title: "a list of addresses, or networks such as 10.0.0.0/8", default: [] },
    ),
    store: STORE,
    authentication: choice(
      ["required", "none"],
      "`required`: callers need an API key or a token. `none`: everybody who reaches the address may call.",
      { default: "required" },
    ),
    keys: {
      type: "array",
      title: "a list of keys",
      description: "API keys. With PostgreSQL there can be more, added with `recourse keys add`.",
      items: KEY,
    },
    jwt: JWT,
    keyCache: duration(
      "How long a key or token that was accepted is accepted without asking again. A revoked key works for so long at most.",
      "60s",
    ),
    upstreams: {
      type: "object",
      title: "at least one upstream, such as shop: { url: https://… }",
      minProperties: 1,
      description:
        "The servers behind the gateway, by name. Each has one of `url`, `command` and `openapi`; their order in the file decides who owns a resource that two of them list.",
      propertyNames: {
        type: "string",
        pattern: "^[a-z][a-z0-9-]{0,31}$",
        title: "a name of lower-case letters, digits and dashes, 32 at most",
      },
      additionalProperties: UPSTREAM,
    },
    tools: {
      type: "object",
      title: "a mapping from tool names or patterns to rules",
      description: "Rules for tools, by name or pattern. The rules of every pattern that matches apply together.",
      additionalProperties: TOOL,
    },
    limits: LIMITS,
    away: {
      type: "object",
      description: "What happens while Redis is away.",
      additionalProperties: false,
      properties: {
        limits: choice(
          ["closed", "open", "local"],
          "`closed`: calls are refused with a wait. `open`: calls pass without limits. `local`: each process counts its share of the limits, by `replicas`.",
          { default: "closed" },
        ),
        replicas: count("How many processes share the limits; for `local`.", { default: 1 }),
      },
    },
    ...CONTROLS,
    maxRequest: size("The largest request.", "4MiB"),
    maxAnswer: size("The largest answer of an upstream.", "16MiB"),
    maxHeld: size(
      "The memory for the requests and answers of all calls under way. When more than half is used, each caller has a share of it.",
      "256MiB",
    ),
    maxStreams: count(
      "Streams of changes that are open at one moment, in one replica. When more than half are used, each caller has a share of them.",
      { default: 1_024 },
    ),
    deadline: duration("The longest time that a call may take; callers can ask for less.", "60s"),
    drain: duration("How long calls under way may take to end when the gateway stops.", "25s"),
    telemetry: {
      type: "object",
      description: "What the gateway reports about itself.",
      additionalProperties: false,
      properties: {
        otlp: webUrl("Send traces, metrics and logs to this OpenTelemetry collector.", {
          examples: ["http://127.0.0.1:4318"],
        }),
        prometheus: flag("Serve metrics at `/metrics`.", true),
        log: choice(["debug", "info", "warn", "error", "silent"], "What is logged to stderr.", { default: "info" }),
      },
    },
  },
};
