// What four public gateways do with the ten failures, read from their sources at one commit each. Nothing of them was run.
import type { FailureName, Verdict } from "./failures.ts";

/** A public repository at the commit that was read. */
export interface Repository {
  readonly title: string;
  readonly name: string;
  readonly commit: string;
  readonly date: string;
}

/** The gateways, by the name of the way. */
export const GATEWAYS = {
  agentgateway: {
    title: "agentgateway",
    name: "agentgateway/agentgateway",
    commit: "75b4e6ce6e0e1ac7959d5548ebe8dbeaede4f180",
    date: "2026-08-21",
  },
  contextforge: {
    title: "IBM ContextForge",
    name: "IBM/mcp-context-forge",
    commit: "ecba50e4828ae0c83f8ef7b1d6d485b3cf39ce66",
    date: "2026-08-21",
  },
  envoy: {
    title: "Envoy AI Gateway",
    name: "envoyproxy/ai-gateway",
    commit: "c217da8a539570ba3f6014a60c2687c29a945f1f",
    date: "2026-08-21",
  },
  toolhive: {
    title: "ToolHive",
    name: "stacklok/toolhive",
    commit: "e25de16cf9720b13cf0b400c861a2f6840e2763c",
    date: "2026-08-21",
  },
} as const satisfies Record<string, Repository>;

/** The name of a gateway that was read. */
export type GatewayName = keyof typeof GATEWAYS;

/** The names of all gateways that were read. */
export const GATEWAY_NAMES = Object.keys(GATEWAYS) as GatewayName[];

/** What was read about one failure. */
export interface Reading {
  readonly verdict: Verdict | "not known";
  readonly text: string;
  /** Where: a path from the root of the repository and a line, as `path:line`. Empty if the whole repository was searched. */
  readonly at: readonly string[];
}

/** The search behind the cells about keys. It finds only a test of IBM ContextForge, about the storage of headers. */
export const KEY_SEARCH = 'git grep -iE "idempotency[-_ ]?key" -- "*.rs" "*.go" "*.py"';

const RS = "crates/agentgateway/src";
const AGENT_PASSES = [`${RS}/mcp/upstream/streamablehttp.rs:145`, `${RS}/mcp/session.rs:375`];
const AGENT_STATUS = [`${RS}/mcp/session.rs:376`, `${RS}/proxy/mod.rs:431`];
const FORGE = "mcpgateway/services/tool_service.py";
const FORGE_PASSES = ["mcpgateway/transports/streamablehttp_transport.py:2050"];
const RETRY = "mcpgateway/utils/retry_manager.py";
const ENVOY = "internal/mcpproxy/handlers.go";
const ENVOY_PASSES = [`${ENVOY}:1003`];
const HIVE = "pkg/vmcp/client/client.go";
const HIVE_PASSES = [`${HIVE}:1882`, "pkg/vmcp/server/serve_handlers.go:309"];
const PASSES = "Passes the server's text through unchanged.";
const NO_KEYS: Reading = { verdict: "no", text: "Both calls are sent. No idempotency keys were found.", at: [] };

/** The cells of the gateways. */
export const READINGS: Readonly<Record<GatewayName, Readonly<Record<FailureName, Reading>>>> = {
  agentgateway: {
    "driver-error": {
      verdict: "no",
      text: "Passes the server's text through unchanged. A guardrail service that you run can change or block it.",
      at: [...AGENT_PASSES, `${RS}/mcp/guardrails/mod.rs:1`],
    },
    "unknown-tool": {
      verdict: "partly",
      text: "If it has to find the upstream by the name, it says `unknown tool cancel_ordr`. Otherwise the server answers. It suggests no name.",
      at: [`${RS}/mcp/handler.rs:450`, `${RS}/mcp/session.rs:392`],
    },
    "wrong-arguments": { verdict: "yes", text: PASSES, at: AGENT_PASSES },
    "rate-limited": {
      verdict: "partly",
      text: "Passes the 429 and its headers to the caller, whose SDK drops the header. A retry policy on the route waits a fixed time.",
      at: [...AGENT_STATUS, `${RS}/proxy/httpproxy.rs:1096`],
    },
    "no-answer": {
      verdict: "partly",
      text: "Sends the call once, unless a retry policy says otherwise. With a time limit on the route, the caller gets HTTP 504, `request timeout`, and nothing about the effect.",
      at: [`${RS}/http/retry/mod.rs:67`, `${RS}/proxy/mod.rs:390`, `${RS}/proxy/mod.rs:204`],
    },
    "process-dies": {
      verdict: "no",
      text: "The call fails, and so do later calls of this session. No code that starts the program again was found.",
      at: [`${RS}/mcp/upstream/stdio.rs:202`, `${RS}/mcp/upstream/stdio.rs:54`],
    },
    "expired-token": {
      verdict: "partly",
      text: "Passes the 401 and its headers to the caller. If the gateway is set to pass the caller's token on, the SDK can get a new one.",
      at: [...AGENT_STATUS, `${RS}/http/auth/mod.rs:227`],
    },
    "tool-sentence": { verdict: "yes", text: PASSES, at: AGENT_PASSES },
    "failing-server": {
      verdict: "partly",
      text: "With a health policy, an endpoint that fails is left out for a while. If all endpoints are left out, they are used again, so a single server is still called.",
      at: [`${RS}/http/health.rs:3`, `${RS}/http/health.rs:120`],
    },
    "same-payment": NO_KEYS,
  },
  contextforge: {
    "driver-error": {
      verdict: "no",
      text: "Passes the server's text through unchanged. A plugin that detects secrets exists, but is off by default.",
      at: [...FORGE_PASSES, "plugins/config.yaml:845", "plugins/config.yaml:850"],
    },
    "unknown-tool": {
      verdict: "partly",
      text: "Says `Tool not found: cancel_ordr`. It suggests no name.",
      at: [`${FORGE}:4249`],
    },
    "wrong-arguments": {
      verdict: "yes",
      text: `${PASSES} The argument check of its own SDK is turned off.`,
      at: [...FORGE_PASSES, "mcpgateway/transports/streamablehttp_transport.py:1685"],
    },
    "rate-limited": {
      verdict: "partly",
      text: "For a REST API, it waits as long as `Retry-After` says and tries again. For an MCP server, the call fails with `Tool invocation failed: …`.",
      at: [`${RETRY}:435`, `${FORGE}:6340`, `${FORGE}:6862`],
    },
    "no-answer": {
      verdict: "partly",
      text: "A call to an MCP server is made once, and ends with `Tool invocation timed out after …s`. A POST to a REST API is sent again after a read time-out.",
      at: [`${FORGE}:6412`, `${FORGE}:5711`, `${FORGE}:247`, `${RETRY}:371`],
    },
    "process-dies": {
      verdict: "not known",
      text: "Programs on stdio run behind a separate bridge. What it does here was not read.",
      at: [],
    },
    "expired-token": {
      verdict: "partly",
      text: "For a REST API with token exchange, it gets a new token and sends the request once more. No such step was found for MCP servers.",
      at: [`${FORGE}:4101`, `${FORGE}:5741`],
    },
    "tool-sentence": { verdict: "yes", text: PASSES, at: FORGE_PASSES },
    "failing-server": {
      verdict: "partly",
      text: "A circuit breaker for each tool exists as a plugin, but is off by default.",
      at: ["plugins/circuit_breaker/circuit_breaker.py:9", "plugins/config.yaml:682"],
    },
    "same-payment": {
      verdict: "no",
      text: "Both calls are sent. No idempotency keys of its own were found. A header mapping can carry a key of yours to a REST API.",
      at: [`${FORGE}:5598`],
    },
  },
  envoy: {
    "driver-error": {
      verdict: "no",
      text: "Passes the server's text through unchanged. It rewrites only the URIs in a tool result.",
      at: ENVOY_PASSES,
    },
    "unknown-tool": {
      verdict: "partly",
      text: "A name without a known backend, or that the route does not select, is HTTP 400 or 404 in plain text. Any other name goes to the server. It suggests no name.",
      at: [`${ENVOY}:731`, `${ENVOY}:738`, `${ENVOY}:751`],
    },
    "wrong-arguments": { verdict: "yes", text: PASSES, at: ENVOY_PASSES },
    "rate-limited": {
      verdict: "no",
      text: "The caller gets HTTP 500 in plain text, `failed with status code 429`, without the header.",
      at: [`${ENVOY}:1602`, `${ENVOY}:187`],
    },
    "no-answer": {
      verdict: "partly",
      text: "Its MCP proxy sends the call once and leaves time limits to Envoy. The caller gets HTTP 500 in plain text, and nothing about the effect.",
      at: ["internal/mcpproxy/mcpproxy.go:68", `${ENVOY}:1596`],
    },
    "process-dies": {
      verdict: "no",
      text: "`aigw run` starts a program once. No code that starts it again was found.",
      at: ["cmd/aigw/stdio2http.go:57"],
    },
    "expired-token": {
      verdict: "no",
      text: "The caller gets HTTP 500 in plain text, `failed with status code 401`, without the header.",
      at: [`${ENVOY}:1602`],
    },
    "tool-sentence": { verdict: "yes", text: PASSES, at: ENVOY_PASSES },
    "failing-server": {
      verdict: "not known",
      text: "Its documentation names circuit breaking by Envoy. Whether it covers these calls was not read.",
      at: ["site/docs/capabilities/mcp/index.md:18"],
    },
    "same-payment": NO_KEYS,
  },
  toolhive: {
    "driver-error": { verdict: "no", text: "Passes the server's text through unchanged.", at: HIVE_PASSES },
    "unknown-tool": {
      verdict: "partly",
      text: 'Older clients read `tool "cancel_ordr" not found`, newer ones `unknown tool`. It suggests no name.',
      at: ["pkg/vmcp/server/modern_dispatch.go:306", "pkg/vmcp/server/modern_dispatch.go:325"],
    },
    "wrong-arguments": {
      verdict: "yes",
      text: `${PASSES} It only checks that the arguments are an object.`,
      at: [...HIVE_PASSES, "pkg/vmcp/server/serve_handlers.go:281"],
    },
    "rate-limited": {
      verdict: "no",
      text: "The call fails with `backend unavailable: tool call failed …`. (ToolHive's own rate limiter does tell callers how long to wait.)",
      at: [`${HIVE}:1842`, "pkg/vmcp/conversion/errors.go:31", "pkg/ratelimit/middleware.go:178"],
    },
    "no-answer": {
      verdict: "partly",
      text: "The call ends after 30 s. A call that may have run is not sent again. The text says nothing about the effect.",
      at: [`${HIVE}:542`, `${HIVE}:1630`, "pkg/vmcp/conversion/errors.go:31"],
    },
    "process-dies": {
      verdict: "partly",
      text: "A container that exits is started again. The text of the lost call says nothing about the effect.",
      at: ["pkg/runner/runner.go:774", "pkg/workloads/manager.go:568", "pkg/vmcp/conversion/errors.go:31"],
    },
    "expired-token": {
      verdict: "partly",
      text: "The call fails. If the session with the server cannot begin, the text is `authentication failed: …`. No second attempt with a new token was found.",
      at: [`${HIVE}:814`, `${HIVE}:1543`],
    },
    "tool-sentence": { verdict: "yes", text: PASSES, at: HIVE_PASSES },
    "failing-server": {
      verdict: "partly",
      text: "A circuit breaker exists, but is off by default. It counts failed health checks, not failed calls. Tools of an unhealthy server are no longer listed.",
      at: ["pkg/vmcp/config/config.go:716", "pkg/vmcp/health/monitor.go:492", "pkg/vmcp/core/core_vmcp.go:791"],
    },
    "same-payment": NO_KEYS,
  },
};

/** The address of a place, at the commit that was read. */
export function sourceUrl({ name, commit }: Pick<Repository, "name" | "commit">, place: string): string {
  const [path = "", line = "1"] = place.split(":");
  return `https://github.com/${name}/blob/${commit}/${path}#L${line}`;
}
