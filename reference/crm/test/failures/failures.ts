// Every failure of the document, with a real cause.
import { mkdir, rm } from "node:fs/promises";
import { tokenBuckets } from "@recourse/reference-shared";
import { KEYS, type TestEnvironment } from "../support/test-environment.ts";
import { bearer } from "../support/tool-call.ts";

export interface Failure {
  /** A status of the REST API, a code of JSON-RPC, or the list of arguments that the tool's schema refuses. */
  readonly code: number | "issues";
  readonly cause: string;
  readonly tool: string;
  readonly args?: unknown;
  readonly authorization?: string;
  /** Causes the failure, and returns a function that undoes it. */
  readonly arrange?: (environment: TestEnvironment) => Promise<() => Promise<void>>;
  /** The reason that Platica's dialect decodes. */
  readonly reason: string;
  /** What the document says. */
  readonly error?: string;
  /** Seconds to wait. */
  readonly wait?: number;
  /** The status over REST if it is not the code; none if REST cannot be asked this way. */
  readonly rest?: number | "none";
}

const north = bearer(KEYS.north);
const key = { authorization: north };
const CAMPAIGN = { name: "Autumn", agent_id: "1", starts_on: "2027-09-30", ends_on: "2027-09-01" };
const CLIENT = { tool: "getClient", args: { id: "1" } } as const;

const invalid = { code: 400, reason: "rest/invalid_arguments", error: "Invalid arguments" } as const;
const refused = {
  ...CLIENT,
  code: 401,
  reason: "auth/unauthorized",
  error: "Valid credentials are required.",
} as const;
const missing = { ...key, code: 404, reason: "core/not_found" } as const;
const state = { ...key, code: 422, tool: "launchCampaign", reason: "rest/wrong_state" } as const;
const header = { ...CLIENT, code: -32001, reason: "auth/header_invalid", rest: 401 } as const;

/** The failures that the call of a tool ends with. */
export const FAILURES: readonly Failure[] = [
  { ...invalid, ...key, cause: "a campaign that ends before it starts", tool: "createCampaign", args: CAMPAIGN },
  {
    ...invalid,
    ...key,
    cause: "a webhook without encryption",
    tool: "createWebhook",
    args: { event: "client.created", url: "http://hooks.example.com/" },
  },
  {
    ...CLIENT,
    code: 400,
    reason: "rest/workspace_missing",
    error: "Must specify a valid workspace",
    cause: "a key of two workspaces, and none named",
    authorization: bearer(KEYS.both),
  },
  { ...refused, cause: "an unknown key", authorization: "Bearer pl_key_nobody_has_this_one_0000" },
  { ...refused, cause: "a disabled key", authorization: bearer(KEYS.revoked) },
  { ...refused, cause: "an expired key", authorization: bearer(KEYS.expired) },
  {
    code: 403,
    reason: "auth/not_authorized",
    error: "This key has no access to the workspace",
    cause: "somebody else's workspace",
    tool: "getClient",
    args: { id: "4", workspace: "ws_other" },
    ...key,
  },
  {
    code: 403,
    reason: "auth/not_authorized",
    error: "This key may only read",
    cause: "a key that may only read",
    tool: "deleteClient",
    args: { id: "1" },
    authorization: bearer(KEYS.reader),
  },
  { ...missing, cause: "no such client", tool: "getClient", args: { id: "99" }, error: "Client not found" },
  {
    ...missing,
    cause: "a client of the other workspace",
    tool: "getClient",
    args: { id: "3", workspace: "ws_north" },
    authorization: bearer(KEYS.both),
    error: "Client not found",
  },
  { ...missing, cause: "no such agent", tool: "getAgent", args: { id: "99" }, error: "Agent not found" },
  { ...missing, cause: "no such campaign", tool: "launchCampaign", args: { id: "99" }, error: "Campaign not found" },
  { ...missing, cause: "no such webhook", tool: "deleteWebhook", args: { id: "99" }, error: "Webhook not found" },
  {
    ...state,
    cause: "the agent was taken out of its workspace",
    args: { id: "2" },
    error: "The agent of the campaign has no workspace",
  },
  { ...state, cause: "launched before", args: { id: "3" }, error: "The campaign was launched already" },
  {
    ...CLIENT,
    ...key,
    code: 429,
    reason: "core/rate_limited",
    cause: "the share of the key is used up",
    wait: 30,
    arrange: async (environment) => {
      const { limiter } = environment;
      environment.limiter = tokenBuckets({ calls: 1, windowMs: 30_000, now: () => 0 });
      await fetch(`${environment.rest}/v1/clients`, { headers: { authorization: north } });
      return async () => {
        environment.limiter = limiter;
      };
    },
  },
  {
    ...CLIENT,
    ...key,
    code: 500,
    reason: "rest/upstream_failed",
    error: "Internal error",
    cause: "a bug: a column that the statement names is gone",
    arrange: async ({ database }) => {
      await database.query("alter table client rename column stage to phase");
      return async () => {
        await database.query("alter table client rename column phase to stage");
      };
    },
  },
  {
    ...CLIENT,
    ...key,
    code: 503,
    reason: "adapter/unavailable",
    error: "The service is not available at the moment",
    cause: "the database is away",
    wait: 2,
    arrange: async ({ proxy }) => {
      proxy.disconnect();
      return async () => proxy.reconnect();
    },
  },
  {
    ...CLIENT,
    ...key,
    code: 503,
    reason: "adapter/unavailable",
    cause: "the REST API itself is away",
    rest: "none",
    arrange: (environment) => environment.stopRest(),
  },
  {
    ...key,
    code: "issues",
    reason: "tool/invalid_arguments",
    cause: "arguments that the schema of the tool refuses",
    tool: "createClient",
    args: { name: "", stage: "friend" },
    rest: 400,
  },
  { ...header, cause: "no Authorization header" },
  { ...header, cause: "another scheme", authorization: "Basic cGw6a2V5" },
  { ...header, cause: "a token that is no key", authorization: "Bearer abc" },
  {
    ...key,
    code: -32602,
    reason: "protocol/malformed_call",
    cause: "arguments that are no object",
    tool: "listAgents",
    args: "all of them",
    rest: "none",
  },
  {
    ...CLIENT,
    ...key,
    code: -32603,
    reason: "core/internal",
    cause: "the journal cannot be written: its folder is gone",
    rest: 200,
    arrange: async ({ folder }) => {
      await rm(folder, { recursive: true });
      return async () => {
        await mkdir(folder);
      };
    },
  },
];
