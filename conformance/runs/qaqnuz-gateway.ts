// A server as the document of qaqnuz describes it, guarded, over HTTP: keys, scopes, disabled tools, and every class of failure.
import { createServer } from "node:http";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import * as z from "zod";
import { qaqnuz } from "../../packages/core/src/dialects/index.ts";
import { fail, type RetryAdvice } from "../../packages/core/src/index.ts";
import { auth, core, tool } from "../../packages/core/src/reasons/index.ts";
import { guard, guardHandler, type Incident, toNodeListener } from "../../packages/core/src/server/index.ts";

/** The keys that callers show: two that work, and one for each way in which a key does not. */
export const KEYS = {
  full: "Bearer qz_live_full",
  narrow: "Bearer qz_live_narrow",
  unknown: "Bearer qz_live_nobody",
  revoked: "Bearer qz_live_revoked",
  expired: "Bearer qz_live_expired",
  otherScheme: "Basic cXo6bGl2ZQ==",
  malformed: "Bearer",
  missing: undefined,
} as const;

const VALID: readonly (string | null)[] = [KEYS.full, KEYS.narrow];

/** The advice of the document's example. */
const ADVICE: RetryAdvice = { allowed: true, afterMs: 1_000, maxAttempts: 1, backoff: "fixed", jitter: 0.2 };
const advised = { retry: ADVICE };

/** One tool for each failure. */
const FAILURES: Readonly<Record<string, () => unknown>> = {
  policy_denied: () => fail.forbidden(advised)`Your policy does not allow this call.`,
  scope_missing: () => auth.insufficient_scope({ scopes: ["orders:write"] }, advised),
  not_entitled: () => fail.forbidden(advised)`Your plan does not include exports.`,
  needs_approval: () => auth.approval_required({}, advised),
  wrong_values: () => fail.invalid_input(advised)`The end lies before the start.`,
  rate_limited: () => core.rate_limited({ limit: 60, windowMs: 60_000 }, advised),
  slow_down: () => fail.rate_limited({ afterMs: 2_000 })`Slow down.`,
  busy: () => core.overloaded({}, advised),
  provider_failed: () => core.upstream_failed({}, advised),
  provider_away: () => core.unavailable(),
  already_shipped: () => fail.precondition_failed(advised)`Order 7 was shipped.`,
  no_such_order: () => fail.not_found(advised)`There is no order 9.`,
  key_revoked_meanwhile: () => auth.token_expired({ expiredAt: 1_700_000_000 }),
  throws_null: () => null,
};

/** What a running server has seen and how to reach it. */
export interface Gateway extends AsyncDisposable {
  readonly url: URL;
  readonly incidents: readonly Incident[];
}

/** Starts the server. `thrown` is what the tool `accident` throws. */
export async function startGateway(thrown: () => unknown = () => new Error("oops")): Promise<Gateway> {
  const incidents: Incident[] = [];
  const sink = (incident: Incident) => void incidents.push(incident);
  const build = (key: string | null) => {
    const server = guard(new McpServer({ name: "gateway", version: "1.0.0" }), { dialect: qaqnuz, sink });
    // A tool that a key cannot reach is disabled for it. Its handler would be too late: arguments are checked before it runs.
    const reach = <T extends { disable(): void }>(registered: T): T => {
      if (key !== KEYS.full) registered.disable();
      return registered;
    };
    const throwing = (name: string, failure: () => unknown) =>
      reach(
        server.registerTool(name, { description: name }, () => {
          throw failure();
        }),
      );
    for (const [name, failure] of Object.entries(FAILURES)) throwing(name, failure);
    throwing("accident", thrown);
    throwing("refused_later", () => tool.unreachable({}, { cause: new Error("policy 7 denies it") }));
    throwing("disabled", () => new Error("never runs")).disable();
    const inputSchema = z.object({
      order_id: z.string(),
      quantity: z.number().int().min(1),
      reason: z.enum(["customer", "stock"]).optional(),
    });
    reach(
      server.registerTool("cancel_order", { description: "Cancels an order.", inputSchema }, ({ order_id }) => ({
        content: [{ type: "text", text: `Order ${order_id} is cancelled.` }],
      })),
    );
    return server;
  };
  const handler = guardHandler(
    createMcpHandler(({ authInfo }) => build((authInfo as { token?: string } | undefined)?.token ?? null)),
    {
      sink,
      dialect: qaqnuz,
      auth: {
        authenticate: (request) => {
          const key = request.headers.get("authorization");
          return VALID.includes(key) ? { ok: true, auth: { token: key, clientId: "c", scopes: [] } } : { ok: false };
        },
      },
    },
  );
  const http = await listenOnLoopback(createServer(toNodeListener(handler)));
  return { url: http.url, incidents, [Symbol.asyncDispose]: () => http.close() };
}
