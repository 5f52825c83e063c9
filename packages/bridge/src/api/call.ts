import { createHash } from "node:crypto";
import type { Fault, SecretFilter } from "@recourse/core";
import { type CallerIdentity, callDeadline, callerRefusal, callIdempotencyKey } from "@recourse/core/proxy";
import { core, rest, tool as toolReasons } from "@recourse/core/reasons";
import { joinSecretFilters, relayBody } from "@recourse/core/safety";
import { checkArguments } from "@recourse/core/schema";
import type { Sink } from "@recourse/core/server";
import type { OperationSpan, Telemetry } from "@recourse/core/telemetry";
import { applyCredentials, type CredentialContext } from "../credentials/credential.ts";
import type { Network } from "../network/create-network.ts";
import type { ExchangeResult } from "../network/exchange.ts";
import { operationLabel } from "../operations/report.ts";
import { exchangeFault, type ReplyFacts, replyFault, UpstreamReply } from "../reply/fault.ts";
import { bodyText, type CallResult, toResult } from "../reply/result.ts";
import { type ApiRequest, buildRequest } from "../request/build-request.ts";
import { UPSTREAM_ANSWER_MARGIN_MS } from "../sdk.ts";
import type { OperationCallOptions } from "./options.ts";
import type { CallableTool } from "./tools.ts";

/** The result of a call, or the fault that ended it. */
export type CallOutcome =
  | {
      readonly ok: true;
      readonly result: CallResult;
    }
  | {
      readonly ok: false;
      /** Why the call failed, and what to do next. */
      readonly fault: Fault;
      /** The error behind the fault, for the operator only. */
      readonly cause?: unknown;
      /** The body that the service sent, with `foreignText: "raw"`. */
      readonly raw?: string;
    };

/** Options for one call, by a program or by a caller of a server. */
export interface ApiCallOptions extends OperationCallOptions {
  /** Finds out which caller of the server makes the call. @default the `caller` of the options */
  readonly identify?: (() => Promise<CallerIdentity>) | undefined;
}

export interface Api {
  readonly network: Network;
  readonly name: string | undefined;
  readonly secrets: SecretFilter;
  readonly telemetry: Telemetry | undefined;
  readonly sink: Sink;
  readonly now: () => number;
}

/** Calls a tool: builds the request, sends it, and turns the reply into a result or a fault. It never rejects. */
export async function callApiTool(
  api: Api,
  tool: CallableTool,
  given: unknown,
  options: ApiCallOptions,
): Promise<CallOutcome> {
  const { operation, server, uses } = tool;
  const args = given ?? {};
  const issues = checkArguments(args, tool.inputSchema);
  if (issues.length > 0) return invalidArguments(tool, issues);
  const built = buildRequest(operation, args, { server, maxBytes: api.network.limits.maxRequestBytes });
  if (!built.ok) return invalidArguments(tool, built.issues);
  if (uses === undefined) {
    const cause = new Error(
      `no credential suits the security schemes of ${operationLabel(operation.method, operation.path)}`,
    );
    return { ok: false, fault: core.misconfigured.fault({}, { effect: "none" }), cause };
  }
  const key = await idempotencyHeaderFor(tool, options);
  if (key !== undefined && "fault" in key) return { ok: false, ...key };
  const headers = { ...built.request.headers, ...(key !== undefined && { [key.header]: key.value }) };
  return traced(api, tool, async (span) => {
    const request = { ...built.request, headers: { ...headers, ...span?.context } };
    const sent = await sendApiRequest(api, tool, request, options);
    if ("fault" in sent) return { ok: false, ...sent };
    if (sent.result.ok) span?.answered(sent.result.reply.status);
    return toOutcome(api, { ...sent, tool, keyed: key !== undefined, given: args });
  });
}

/** Runs the request in a span of its own, if there is telemetry. */
function traced(
  { telemetry }: Api,
  { operation, server }: CallableTool,
  work: (span?: OperationSpan) => Promise<CallOutcome>,
): Promise<CallOutcome> {
  if (telemetry === undefined) return work();
  const { method, path } = operation;
  return telemetry.run({ what: "http", side: "client", method, name: path, address: server }, async (span) => {
    const outcome = await work(span);
    if (!outcome.ok) span.failed(outcome.fault);
    return outcome;
  });
}

function invalidArguments({ name }: CallableTool, issues: NonNullable<Fault["issues"]>): CallOutcome {
  return { ok: false, fault: toolReasons.invalid_arguments.fault({ tool: name }, { issues }) };
}

interface SentRequest {
  readonly result: ExchangeResult;
  /** Finds the credentials that came with the caller's request. */
  readonly secrets: SecretFilter | undefined;
}

/** Sends a request with its credentials. If the service refuses a token that can be renewed, it is sent once more. */
async function sendApiRequest(
  api: Api,
  tool: CallableTool,
  request: ApiRequest,
  options: OperationCallOptions,
): Promise<SentRequest | { readonly fault: Fault; readonly cause?: unknown }> {
  const { network, now } = api;
  const { signal } = options;
  const started = now();
  const callerMs = callDeadline(options.meta) ?? Infinity;
  const deadlineMs = Math.min(
    tool.options.deadlineMs ?? network.limits.deadlineMs,
    Math.max(1, callerMs - UPSTREAM_ANSWER_MARGIN_MS),
  );
  const { credential } = options;
  const { uses = [] } = tool;
  const sentWith = credential === undefined ? uses : uses.map(({ scheme }) => ({ credential, scheme }));
  const context: CredentialContext = { callerHeader: headerLookup(options), network, signal, now };
  for (let attempt = 1; ; attempt++) {
    const authenticated = await applyCredentials(request, sentWith, context);
    if (!authenticated.ok) return authenticated;
    const timeoutMs = Math.max(1, deadlineMs - (now() - started));
    const result = await network.send(authenticated.request, { signal, timeoutMs });
    const isRefused = result.ok && result.reply.status === 401;
    if (isRefused && attempt === 1 && authenticated.renew()) continue;
    return { result, secrets: authenticated.secrets };
  }
}

function toOutcome(
  api: Api,
  { tool, result: ended, secrets, keyed, given }: SentRequest & { tool: CallableTool; keyed: boolean; given: unknown },
): CallOutcome {
  const { operation, annotations } = tool;
  const changes = annotations.readOnlyHint !== true;
  const repeatable = keyed || !changes || annotations.idempotentHint === true;
  if (!ended.ok) {
    const { failure } = ended;
    return { ok: false, fault: exchangeFault(failure, { changes, repeatable }), cause: failure.cause };
  }
  const { reply } = ended;
  const now = api.now();
  const facts: ReplyFacts = { ...tool, changes, repeatable, secrets, sent: given, name: api.name, now };
  const text = bodyText(reply);
  const fault = replyFault(reply, text, facts);
  const allSecrets = joinSecretFilters(api.secrets, secrets);
  if (fault === undefined) {
    const result = toResult(reply, text, { operation, secrets: allSecrets, now });
    if (result !== undefined) return { ok: true, result };
  }
  const cause = new UpstreamReply(operationLabel(operation.method, operation.path), reply, text ?? "(no text)");
  const isRaw = tool.foreignText === "raw" && fault !== undefined && secrets?.has(text ?? "") !== true;
  const raw = isRaw && text ? relayBody(text, allSecrets)?.text : undefined;
  // A successful reply that cannot be passed on: the service has done what was asked.
  const unreadable = () => rest.unexpected_content.fault({}, { effect: changes ? "applied" : "none" });
  return { ok: false, fault: fault ?? unreadable(), cause, ...(raw !== undefined && { raw }) };
}

function headerLookup({ headers }: OperationCallOptions): (name: string) => string | undefined {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? undefined;
  const known = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  return (name) => {
    const value = known.find(([key]) => key === name.toLowerCase())?.[1];
    // A repeated header is ambiguous, so it is no credential.
    return typeof value === "string" ? value : value?.length === 1 ? value[0] : undefined;
  };
}

/** Tells whether a tool sends the idempotency key of a call to the service. A call that only reads needs none. */
export function forwardsKey(tool: CallableTool): tool is CallableTool & { readonly idempotencyHeader: string } {
  return tool.idempotencyHeader !== undefined && tool.annotations.readOnlyHint !== true;
}

/**
 * The idempotency header to send; undefined if the call has no key or the service takes none. A key that cannot be
 * attributed is refused, since the call would get the outcome of another caller.
 */
async function idempotencyHeaderFor(
  tool: CallableTool,
  options: ApiCallOptions,
): Promise<
  { readonly header: string; readonly value: string } | NonNullable<ReturnType<typeof callerRefusal>> | undefined
> {
  const given = options.idempotencyKey ?? callIdempotencyKey(options.meta);
  if (!forwardsKey(tool) || typeof given !== "string" || given === "") return undefined;
  // Callers that share one credential would share their keys at the service.
  const isShared = tool.credential === "own";
  const known = isShared ? await options.identify?.() : undefined;
  const refusal = known && callerRefusal(known);
  if (refusal !== undefined) return refusal;
  const named = known?.kind === "known" ? known.owner : undefined;
  const owner = isShared && known === undefined ? options.caller : named;
  const isSendable = /^[!-~]{1,255}$/.test(given);
  const value = owner !== undefined || !isSendable ? digest([owner ?? "", given]) : given;
  return { header: tool.idempotencyHeader.toLowerCase(), value };
}

function digest(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
