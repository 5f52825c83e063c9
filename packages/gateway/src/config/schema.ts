import { LATEST_HANDSHAKE_REVISION, LATEST_REVISION } from "@recourse/core/wire";
import * as z from "zod";
import { PRINTABLE } from "./control-characters.ts";
import {
  choice,
  count,
  durationOption,
  flag,
  keyHash,
  keyId,
  listen,
  listOption,
  listOr,
  patterns,
  rateOption,
  sizeOption,
  storeUrl,
  textField,
  webUrl,
} from "./leaves.ts";
import { ADMIN_ROLES, DIALECT_NAMES } from "./types.ts";

const REDIS_URL = storeUrl("a redis:// or rediss:// URL", /^rediss?:\/\/[^\s/]/);
const STORE_FORMS = "memory, or { redis: …, postgres: … }";

const STORE = z
  .union([
    z.literal("memory").meta({ title: STORE_FORMS }),
    z.strictObject({
      redis: z.union([REDIS_URL, z.array(REDIS_URL).min(1)]).meta({
        title: "a redis:// or rediss:// URL, or a list of them",
        description: "The address of Redis, for limits and sessions. With a cluster: some of its nodes.",
      }),
      cluster: flag("Whether the Redis addresses belong to a cluster.").default(false),
      postgres: storeUrl(
        "a postgres:// URL",
        /^postgres(?:ql)?:\/\/[^\s]/,
        "The address of PostgreSQL, for API keys that can be added and revoked while the gateway runs.",
      ),
    }),
  ])
  .meta({
    title: STORE_FORMS,
    description:
      "Where limits, sessions and keys are kept. There is no default. `memory` keeps them in this one process: a second process counts separately, and everything is lost when the process stops. To run several processes, set Redis and PostgreSQL.",
  });

const KEY = z.strictObject({
  id: keyId("A name for the key. It appears in logs, and limits for keys count by it."),
  tenant: textField("The tenant that the key belongs to. Limits for tenants count by it.", {
    title: "a name without control characters",
    pattern: PRINTABLE,
  }).default("default"),
  sha256: keyHash("SHA-256 of the key in hex. The key itself is never in the file; `recourse keys add` creates both."),
  tools: patterns("The tools that this caller sees."),
  scopes: listOption("Scopes of this caller, for `tools.<pattern>.scopes`.").default([]),
  entitlements: listOption("Entitlements of this caller, for `tools.<pattern>.entitlement`.").default([]),
  dialect: choice(DIALECT_NAMES, "The error format that failures are written in for this caller.")
    .meta({ examples: ["mcp"] })
    .optional(),
});

const JWT = z
  .strictObject({
    issuer: webUrl("The `iss` that tokens must have."),
    audience: textField("The `aud` that tokens must have."),
    jwksUrl: webUrl(
      "Where the keys of the issuer are. Without it: `/.well-known/jwks.json` below the address of the issuer.",
    ).optional(),
    tenantClaim: textField("The claim that names the tenant.").default("tenant"),
    entitlementsClaim: textField("The claim that lists the caller's entitlements. Without it: none.").optional(),
    tools: patterns("The tools that callers with a token see."),
    dialect: choice(DIALECT_NAMES, "The error format that failures are written in for these callers.").optional(),
  })
  .meta({ description: "Accept tokens of an identity provider in addition to API keys. Needs `publicUrl`." });

/** The gateway as the client of a token service. */
const tokenClient = (description: string) =>
  z
    .strictObject({
      tokenUrl: webUrl("The token endpoint. Plain http only on this machine.", {
        examples: ["https://login.example.com/oauth/token"],
      }),
      clientId: textField("The id of the gateway at the token service."),
      clientSecret: textField("Its secret there.", { title: "a secret", writeOnly: true }),
      auth: choice(
        ["basic", "body"],
        "How the gateway authenticates there: with a Basic header, or with members of the body.",
      ).default("basic"),
      scope: textField("The scopes to ask for, separated by spaces. Without it the service decides.").optional(),
      resource: webUrl(
        "The `resource` to ask a token for: the address of the upstream, as the service knows it.",
      ).optional(),
      audience: textField(
        "The `audience` to ask a token for: the name of the upstream, as the service knows it.",
      ).optional(),
    })
    .meta({ description });

const CREDENTIAL = z
  .strictObject({
    bearer: textField("Sent as `Authorization: Bearer …`.", { title: "a token", writeOnly: true }).optional(),
    header: textField("The name of a header, with its `value`.", {
      title: "the name of a header",
      pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
    }).optional(),
    value: textField("The value of `header`.", { title: "the value of the header", writeOnly: true }).optional(),
    clientCredentials: tokenClient(
      "A token of the gateway itself, fetched from a token service with the OAuth grant `client_credentials` and kept until shortly before it expires.",
    ).optional(),
    exchange: tokenClient(
      "A token for each caller, exchanged at a token service for the caller's own (RFC 8693). Needs `jwt`: callers with API keys cannot use this upstream. The gateway's own messages, such as those that read lists, carry a `client_credentials` token of the same client.",
    ).optional(),
  })
  .meta({
    title: "bearer, header with value, clientCredentials or exchange",
    description:
      "The credential that the gateway sends to the upstream. Credentials of callers never reach an upstream.",
  });

const PROXY_FORMS = "false, or the URL of a proxy";

const UPSTREAM = z
  .strictObject({
    url: webUrl("An MCP server over Streamable HTTP.", { examples: ["https://shop.internal/mcp"] }).optional(),
    command: z
      .array(z.string())
      .min(1)
      .meta({
        title: "a list such as [node, server.js]",
        description: "An MCP server over stdio: a program and its arguments. The gateway starts it.",
      })
      .optional(),
    openapi: textField("A REST API: file or URL of its OpenAPI document. Files are relative to this file.", {
      examples: ["./crm.yaml"],
    }).optional(),
    prefix: textField(
      "The prefix of the names of its tools and prompts. Without it: the name of the upstream and `__`, as in `shop__refund`. Empty: names stay as they are, for a file with one upstream. No prefix may begin with the prefix of another upstream, so that a name belongs to one upstream even while that upstream is down.",
      {
        title: "letters, digits, dots, dashes and underscores, or an empty text",
        pattern: /^[A-Za-z0-9._-]{0,48}$/,
        examples: ["shop__"],
      },
    ).optional(),
    credential: CREDENTIAL.prefault({}),
    foreignText: choice(
      ["hide", "public", "quote", "raw"],
      "How much callers see of the upstream's own error texts. `hide`: nothing; the texts are in the log. `public`: what it wrote for callers, filtered. `quote`: all of it, filtered. `raw`: all of it, unchanged. Without it: `public`, and `hide` for callers of the dialect qaqnuz.",
    ).optional(),
    speaksFaults: flag("The upstream is yours and uses Recourse: its faults are passed on unchanged.").default(false),
    trustAnnotations: flag(
      "Trust what the upstream says about its tools: a call of a tool that it declares read-only changes nothing.",
    ).default(false),
    dialect: choice(
      DIALECT_NAMES,
      "The error format that the gateway tries first when it reads failures of the upstream.",
    ).optional(),
    timeout: durationOption("How long the gateway waits for an answer.").prefault("30s"),
    maxCalls: count(
      "Maximum number of calls under way, in one replica. When more than half are in use, each caller has a share of them: callers over their share wait.",
    ).default(1_024),
    idempotency: choice(
      ["none", "honoured"],
      "`honoured`: the upstream runs a call with the same idempotency key once, so it may be sent again.",
    ).default("none"),
    lists: choice(
      ["gateway", "caller"],
      "Who reads its lists of tools, prompts and resources. `gateway`: one list for all callers, read with the gateway's own credential. `caller`: each caller has its own list, read as that caller when a call needs it. Use `caller` for upstreams that list different tools to different callers; needs `authentication: required`.",
    ).default("gateway"),
    era: choice(
      ["auto", LATEST_REVISION, LATEST_HANDSHAKE_REVISION],
      "With `url`: the revision of MCP that the upstream speaks. `auto` detects it.",
    ).default("auto"),
    proxy: z
      .union([
        z.literal(false).meta({ title: PROXY_FORMS }),
        webUrl("The address of the proxy, with its name and password if it needs them.", {
          title: PROXY_FORMS,
          writeOnly: true,
        }),
      ])
      .meta({
        title: PROXY_FORMS,
        description:
          "With `url` and `openapi`: the proxy that the upstream and its token service are reached through; `false` for none. Without it: the variables `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` decide.",
        examples: ["http://proxy.internal:3128"],
      })
      .optional(),
    tls: z
      .strictObject({
        ca: textField(
          "A file with certificates in PEM. The certificate of the upstream may be signed by one of them, or by a CA that Node knows. The path is relative to this file.",
          { examples: ["./internal-ca.pem"] },
        ),
      })
      .meta({
        description:
          "With `url` and `openapi`: how the certificates of the upstream, its token service and its proxy are checked.",
      })
      .optional(),
    server: webUrl("With `openapi`: the address of the API, if the document does not name the right one.").optional(),
    allowPrivate: flag(
      "With `openapi`: whether the API may be reached at private addresses, such as `10.0.0.1`. Without it: only if the first look-up of its host returns one; a host that was public is never reached at a private address.",
    ).optional(),
    environment: z
      .record(z.string(), z.string().meta({ title: "a text", writeOnly: true }))
      .meta({
        title: "a mapping from names to values",
        description:
          "With `command`: variables for the program. Of the gateway's own variables it gets only what programs need to start, such as `PATH`.",
      })
      .optional(),
    cwd: textField(
      "With `command`: the folder that the program starts in. Without it: the folder of this file.",
    ).optional(),
    per: choice(
      ["replica", "caller"],
      "With `command`: one program for all callers, or one for each caller. Use `caller` for programs that keep state.",
    ).default("replica"),
    maxChildren: count(
      "With `per: caller`: the maximum number of programs at a time. If the clients of a caller can be asked different things, the caller gets one program for each kind: at most two, or a quarter of all if that is more.",
    ).default(16),
    idle: durationOption("With `per: caller`: a program without calls for this long is ended.").prefault("5m"),
  })
  .meta({ title: "a mapping with url, command or openapi" });

const UPSTREAMS = z
  .record(
    z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/)
      .meta({ title: "a name of lower-case letters, digits and dashes, 32 at most" }),
    UPSTREAM,
  )
  .refine((upstreams) => Object.keys(upstreams).length > 0)
  .meta({
    title: "at least one upstream, such as shop: { url: https://… }",
    description:
      "The servers behind the gateway, by name. Each has one of `url`, `command` and `openapi`; if two of them list the same resource, the first in the file owns it.",
    minProperties: 1,
  });

const TOOL = z.strictObject({
  hidden: flag("No caller sees the tool, and no caller can call it.").default(false),
  scopes: listOption("Scopes that a caller needs, all of them.").default([]),
  entitlement: textField("The entitlement that a caller needs.").optional(),
  cost: count("How many units of `limits.cost` a call takes.").default(1),
});

const LIMITS = z
  .strictObject({
    address: rateOption("For each address that callers connect from. Counted in each process."),
    key: rateOption("For each caller: an API key, or the subject of a token."),
    tenant: rateOption("For all callers of a tenant together."),
    cost: rateOption("Units of cost for all callers of a tenant together; see `tools.<pattern>.cost`."),
    tools: z
      .record(z.string(), rateOption("The limit of the tools that match.").unwrap())
      .meta({ description: "For all callers together, by tool name or pattern." })
      .optional(),
    mode: choice(
      ["leased", "exact"],
      "`leased`: a process that sees many calls takes several tokens at once from Redis. `exact`: each call asks Redis. Neither lets through more than the limit.",
    ).default("leased"),
  })
  .meta({
    description: "How many calls are let through. Each limit is optional; all that you set apply together.",
  });

const AWAY = z
  .strictObject({
    limits: choice(
      ["closed", "open", "local"],
      "`closed`: calls are refused with a wait. `open`: calls pass without limits. `local`: each process counts its share of the limits, according to `replicas`.",
    ).default("closed"),
    replicas: count("How many processes share the limits; for `local`.").default(1),
  })
  .meta({ description: "What happens while Redis is down." });

const IDEMPOTENCY = z
  .strictObject({
    keep: durationOption(
      "How long the outcome of a call with a key is kept. Set it longer than the time in which callers repeat a call.",
    ).prefault("1h"),
  })
  .meta({
    description:
      "Calls with an idempotency key run at most once. The keys are kept in PostgreSQL; with `store: memory` in the process, until it stops.",
  });

const QUESTION_OPTIONS = z
  .strictObject({
    wait: durationOption(
      "How long the gateway waits for the person or model behind a caller in one call, for all questions of the upstream together. This time does not count against `deadline`.",
    ).prefault("5m"),
  })
  .meta({ description: "Upstreams that ask the caller something during a call: elicitation, sampling, roots." });

const NOTIFY = z
  .strictObject({
    url: webUrl("Where the message is sent. Redirects are not followed. Plain http only on this machine.", {
      examples: ["https://chat.example.com/hooks/approvals"],
    }),
    secret: textField("The key that messages are signed with: `whsec_` and 24 to 64 random bytes in base64.", {
      title: "whsec_ and 24 to 64 bytes in base64",
      pattern: /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/,
      writeOnly: true,
    }),
  })
  .meta({
    description:
      "Notifies your own service of each pending approval, once: a POST with id, tool, tenant, caller, expiry and the address of the page, without arguments. It is signed as Standard Webhooks describes (`webhook-id`, `webhook-timestamp`, `webhook-signature`), so its libraries verify it; `webhook-id` is the id of the approval and stays the same when the message is sent again. If the receiver fails, the gateway sends the message at most five more times, until the approval expires. No call waits for it.",
  });

const APPROVALS = z
  .strictObject({
    tools: listOption("The tools whose calls need an approval, by name or pattern.").default([]),
    denied: listOption(
      "The tools that no one may call, by name or pattern; callers get a fault that says that a policy denies the call.",
    ).default([]),
    expires: durationOption("How long a request for approval stays open, and how long a decision is valid.").prefault(
      "15m",
    ),
    link: webUrl(
      "Where a person decides. `{id}` is replaced by the id of the approval. Without it: the page of the console, if `admin.console` is on and its address is known.",
      {
        examples: ["https://ops.example.com/approvals/{id}"],
      },
    ).optional(),
    notify: NOTIFY.optional(),
  })
  .meta({ description: "Calls that a person has to approve first. Needs `admin`." });

const BREAKER = z
  .strictObject({
    enabled: flag("Whether breakers are on.").default(true),
    failures: count("How many failures in a row open it, in one process.").default(5),
    pause: durationOption("The first pause. It doubles with each probe that fails.").prefault("1s"),
    maxPause: durationOption("The longest pause.").prefault("30s"),
  })
  .meta({
    description: "Stops calls to an upstream that keeps failing, for a while. All processes share the state.",
  });

const INCIDENTS = z
  .strictObject({
    keep: durationOption("How long incidents are kept.").prefault("720h"),
    samples: count("How many incidents of one kind are kept with all details, in each process and minute.").default(20),
    callers: choice(
      ["keep", "digest", "drop"],
      "Whether the id of the caller is kept. `digest`: it can be erased, but not read.",
    ).default("keep"),
    texts: choice(["keep", "drop"], "Whether texts of errors are kept, after secrets are removed.").default("keep"),
  })
  .meta({
    description:
      "What the gateway keeps about failures that you have to look at. With PostgreSQL they are stored there.",
  });

const ADMIN_KEY = z.strictObject({
  id: keyId("A name for the key. It appears in the audit."),
  sha256: keyHash("SHA-256 of the key in hex, as for callers. `recourse keys add` creates both."),
  role: choice(
    ADMIN_ROLES,
    "`viewer` can read. `approver` can also decide approvals. `admin` can also manage keys, reset breakers and erase callers.",
  ).default("viewer"),
});

const CONSOLE_FORMS = "true, or { url: …, secret: … }";

const CONSOLE = z
  .union([
    z.boolean().meta({ title: CONSOLE_FORMS }),
    z.strictObject({
      url: webUrl(
        "The address that browsers use, such as that of your proxy; it may have a path. `/console` is appended if the address does not end with it. Without `url`: the console opens only on this machine. Plain http only on this machine.",
        { examples: ["https://ops.example.com"] },
      ).optional(),
      secret: z
        .string()
        .min(32)
        .meta({
          title: "a text of at least 32 characters",
          description:
            "Signs sessions. All processes need the same secret, so it is required with Redis and PostgreSQL. Without it: a random one, and sessions end when the process stops.",
          writeOnly: true,
        })
        .optional(),
      idle: durationOption("A session ends after this long without a request.").prefault("30m"),
      longest: durationOption("A session ends after this long in any case.").prefault("8h"),
      cells: z
        .array(
          z.strictObject({
            name: textField("The name of the cell, such as its region.", {
              title: "a name without control characters",
              pattern: PRINTABLE,
              examples: ["eu-west"],
            }),
            url: webUrl("The address of its console, as in `admin.console.url`. Plain http only on this machine.", {
              examples: ["https://ops-eu.example.com"],
            }),
          }),
        )
        .meta({
          title: "a list of { name: …, url: … }",
          description:
            "Other cells: gateways with stores of their own, such as those of other regions. The page of an incident links to the same id in each of them. Without it: no links.",
        })
        .optional(),
    }),
  ])
  .meta({
    title: CONSOLE_FORMS,
    description:
      "The web page for operators, at `/console/` of the address in `listen`. Operators sign in with their key. `true` uses the defaults.",
  });

const ADMIN = z
  .strictObject({
    listen: listen("Address and port. Port 0 picks a free one.").prefault("127.0.0.1:8081"),
    keys: z.array(ADMIN_KEY).min(1).meta({ title: "a list of keys", description: "Who may use it." }),
    console: CONSOLE.default(false),
  })
  .meta({ description: "The API for operators. It listens on its own address." });

const TELEMETRY = z
  .strictObject({
    otlp: webUrl("Send traces, metrics and logs to this OpenTelemetry collector.", {
      examples: ["http://127.0.0.1:4318"],
    }).optional(),
    prometheus: flag("Serve metrics at `/metrics`.").default(true),
    log: choice(["debug", "info", "warn", "error", "silent"], "What is logged to stderr.").default("info"),
    listen: listen(
      "A second address, for `/health`, `/ready` and `/metrics` alone, so that a firewall can keep them from callers. Port 0 picks a free one.",
    )
      .meta({ examples: ["0.0.0.0:8082"] })
      .optional(),
    public: flag(
      "Whether the address in `listen` of the gateway has these three pages too. `false` needs `telemetry.listen`.",
    ).default(true),
  })
  .meta({ description: "What the gateway reports about itself." });

/** The configuration file. What is read, checked and documented, and what editors know, all comes from here. */
export const CONFIG = z
  .strictObject({
    $schema: textField("For editors: where the schema of this file is.", {
      examples: ["./gateway.schema.json"],
    }).optional(),
    name: textField("The name of the gateway. Callers see it in failures.").default("gateway"),
    listen: listen("Address and port to listen on. Port 0 picks a free one.").prefault("127.0.0.1:8080"),
    path: textField("The path of the MCP endpoint.", {
      title: "a path such as /mcp",
      pattern: /^\/[A-Za-z0-9/._~-]*$/,
    }).default("/mcp"),
    publicUrl: webUrl("The address that callers use, if it differs from `listen`. Needed for `jwt`.", {
      examples: ["https://mcp.example.com"],
    }).optional(),
    hosts: listOr(
      "any",
      "a list of host names, or any",
      "The `Host` headers that are accepted. Without it: the names of this machine, and the host of `publicUrl`.",
    ).optional(),
    origins: listOr(
      "any",
      "a list of origins, or any",
      "The pages that may call from a browser, by their origin. Without it: pages on this machine, for requests that stay on it; no other page can read an answer.",
    ).optional(),
    proxies: listOption(
      "Proxies and load balancers in front of the gateway. If a request comes from one of them, the address of the caller is the last address in `Forwarded` or `X-Forwarded-For` that is not itself a proxy of this list. From other addresses these headers are ignored.",
      "a list of addresses, or networks such as 10.0.0.0/8",
    ).default([]),
    store: STORE,
    authentication: choice(
      ["required", "none"],
      "`required`: callers need an API key or a token. `none`: anyone who reaches the address may call.",
    ).default("required"),
    keys: z
      .array(KEY)
      .meta({
        title: "a list of keys",
        description: "API keys. With PostgreSQL you can add more with `recourse keys add`.",
      })
      .optional(),
    jwt: JWT.optional(),
    keyCache: durationOption(
      "How long the gateway accepts a confirmed key or token without checking it again. A revoked key works for at most this long.",
    ).prefault("60s"),
    upstreams: UPSTREAMS,
    tools: z
      .record(z.string(), TOOL)
      .meta({
        title: "a mapping from tool names or patterns to rules",
        description: "Rules for tools, by name or pattern. The rules of all matching patterns apply together.",
      })
      .optional(),
    limits: LIMITS.prefault({}),
    away: AWAY.prefault({}),
    idempotency: IDEMPOTENCY.prefault({}),
    questions: QUESTION_OPTIONS.prefault({}),
    approvals: APPROVALS.prefault({}),
    breaker: BREAKER.prefault({}),
    incidents: INCIDENTS.prefault({}),
    admin: ADMIN.optional(),
    maxRequest: sizeOption("The largest request.").prefault("4MiB"),
    maxAnswer: sizeOption("The largest answer of an upstream.").prefault("16MiB"),
    maxHeld: sizeOption(
      "The memory for the requests and answers of all calls under way. When more than half is in use, each caller has a share of it.",
    ).prefault("256MiB"),
    maxStreams: count(
      "Maximum number of open streams of changes, in one replica. When more than half are in use, each caller has a share of them. An idle stream takes about 25 kB.",
    ).default(8_192),
    deadline: durationOption("The longest time that a call may take; callers can ask for less.").prefault("60s"),
    drain: durationOption("How long calls under way have to finish when the gateway stops.").prefault("25s"),
    telemetry: TELEMETRY.prefault({}),
  })
  .meta({
    title: "a mapping with the options of the gateway",
    description: "The configuration of the Recourse gateway.",
  });

/** What a file without problems says: defaults filled in, and every value in the unit that the gateway counts in. */
export type ConfigFile = z.output<typeof CONFIG>;

/** A place of the schema, as JSON Schema: the keywords that are looked at. */
export interface SchemaNode {
  /** What is expected here, as a phrase for the sentence "expected …". */
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | SchemaNode;
  readonly propertyNames?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  /** Holds a secret. */
  readonly writeOnly?: boolean;
}

/** The schema for editors, for the page of the options, and for what is said about a value that does not fit. */
export const CONFIG_SCHEMA = z.toJSONSchema(CONFIG, {
  io: "input",
  override({ jsonSchema }) {
    const { default: byDefault, pattern, propertyNames } = jsonSchema;
    // What says nothing to a reader: defaults that only have defaults, and keys of any name.
    if (typeof byDefault === "object" && !Array.isArray(byDefault)) delete jsonSchema.default;
    if (typeof propertyNames === "object" && Object.keys(propertyNames).join() === "type")
      delete jsonSchema.propertyNames;
    if (pattern !== undefined) jsonSchema.pattern = pattern.replaceAll("\\/", "/");
  },
}) as SchemaNode;
