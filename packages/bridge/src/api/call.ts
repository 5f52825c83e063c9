import { core, createSecretFilter, type Fault, rest, type SecretFilter, tool as toolReasons } from "@recourse/faults";
import { checkArguments } from "@recourse/faults/server";
import { textOf } from "../answer/body.ts";
import { withEffect } from "../answer/effect.ts";
import { failureFault } from "../answer/failure-fault.ts";
import { type CallFacts, replyFault } from "../answer/reply-fault.ts";
import { type CallResult, resultOf } from "../answer/result.ts";
import type { Routes } from "../answer/routes.ts";
import { UpstreamReply } from "../answer/upstream-reply.ts";
import { withCredentials } from "../credentials/apply.ts";
import type { Occasion } from "../credentials/credential.ts";
import type { Exchanged } from "../network/exchange.ts";
import type { Network } from "../network/network.ts";
import { labelOf } from "../operations/report.ts";
import { buildRequest, type HttpRequest } from "../request/request.ts";
import type { Alerts } from "./alerts.ts";
import { callerHeaders, deadlineOf, keyFor } from "./call-options.ts";
import type { CallOptions } from "./options.ts";
import type { CallableTool } from "./tools.ts";

/** How a call ended. */
export type Outcome =
  | { readonly ok: true; readonly result: CallResult }
  | {
      readonly ok: false;
      readonly fault: Fault;
      /** What lies behind the fault, for the operator alone. */
      readonly cause?: unknown;
      /** The body of the answer, where the text mode hands it on as it is. */
      readonly raw?: string;
    };

/** What calls of an API are made with. */
export interface Api {
  readonly network: Network;
  readonly name: string | undefined;
  readonly routes: Routes;
  readonly alerts: Alerts;
  /** Knows the credentials of this server. */
  readonly secrets: SecretFilter;
  readonly now: () => number;
}

/** Calls a tool: arguments become a request, the answer a result or a fault; never rejects. */
export async function callTool(api: Api, tool: CallableTool, args: unknown, options: CallOptions): Promise<Outcome> {
  const outcome = await run(api, tool, args ?? {}, options);
  if (outcome.ok) api.alerts.succeeded(tool.name);
  else api.alerts.failed(tool.name, outcome.fault, outcome.cause);
  return outcome;
}

async function run(api: Api, tool: CallableTool, args: unknown, options: CallOptions): Promise<Outcome> {
  const { operation, server, uses } = tool;
  const wrong = checkArguments(args, tool.inputSchema);
  if (wrong.length > 0) return refused(tool, wrong);
  const built = buildRequest(operation, args, { server, maxBytes: api.network.limits.maxRequestBytes });
  if (!built.ok) return refused(tool, built.issues);
  if (uses === undefined) {
    const cause = new Error(`no credential fits what ${labelOf(operation.method, operation.path)} asks for`);
    return { ok: false, fault: core.misconfigured.fault({}, { effect: "none" }), cause };
  }
  const key = tool.annotations.readOnlyHint === true ? undefined : keyFor(tool, options);
  const headers = { ...built.request.headers, ...(key !== undefined && { [key.header]: key.value }) };
  const sent = await send(api, tool, { ...built.request, headers }, options);
  if ("fault" in sent) return { ok: false, ...sent };
  return answered(api, tool, sent, key !== undefined);
}

function refused({ name }: CallableTool, issues: NonNullable<Fault["issues"]>): Outcome {
  return { ok: false, fault: toolReasons.invalid_arguments.fault({ tool: name }, { issues }) };
}

interface Sent {
  readonly ended: Exchanged;
  readonly url: URL;
  /** Secrets of this request, besides those of the server. */
  readonly secrets: SecretFilter | undefined;
}

/** Sends a request with its credentials; when the service refuses one that can be renewed, once more with the new one. */
async function send(
  api: Api,
  tool: CallableTool,
  request: HttpRequest,
  options: CallOptions,
): Promise<Sent | { readonly fault: Fault; readonly cause?: unknown }> {
  const { network, now } = api;
  const { signal } = options;
  const started = now();
  const limitMs = Math.min(tool.options.timeoutMs ?? network.limits.totalMs, deadlineOf(options) ?? Infinity);
  const occasion: Occasion = { callerHeader: callerHeaders(options), network, signal, now };
  for (let attempt = 1; ; attempt++) {
    const proven = await withCredentials(request, tool.uses ?? [], occasion);
    if (!proven.ok) return proven;
    const totalMs = Math.max(1, limitMs - (now() - started));
    const ended = await network.send(proven.request, { signal, totalMs, base: tool.server });
    const isRefused = ended.ok && ended.reply.status === 401;
    if (isRefused && attempt === 1 && proven.renew()) continue;
    const secrets = proven.secrets.length === 0 ? undefined : createSecretFilter(proven.secrets);
    return { ended, url: request.url, secrets };
  }
}

function answered(api: Api, tool: CallableTool, { ended, url, secrets }: Sent, keyed: boolean): Outcome {
  const { operation, annotations } = tool;
  const changes = annotations.readOnlyHint !== true;
  const repeatable = keyed || !changes || annotations.idempotentHint === true;
  if (!ended.ok) {
    const { failure } = ended;
    return { ok: false, fault: failureFault(failure, { changes, repeatable }), cause: failure.cause };
  }
  const { reply } = ended;
  const now = api.now();
  const facts: CallFacts = {
    operation,
    changes,
    repeatable,
    keyed,
    credential: tool.credential,
    errors: tool.errors,
    text: tool.text,
    secrets,
    name: api.name,
    now,
  };
  const text = textOf(reply);
  const fault = replyFault(reply, text, facts);
  const all = bothOf(api.secrets, secrets);
  const result =
    fault === undefined ? resultOf(reply, text, { operation, url, routes: api.routes, secrets: all, now }) : undefined;
  if (result !== undefined) return { ok: true, result };
  const unreadable = withEffect(rest.unexpected_content.fault(), changes ? "applied" : "none");
  const cause = new UpstreamReply(labelOf(operation.method, operation.path), reply.status, text ?? "(no text)");
  // The nets behind it know the secrets of this server; those of this request only we do.
  const isRaw = tool.text === "raw" && fault !== undefined && Boolean(text) && secrets?.has(text ?? "") !== true;
  return { ok: false, fault: fault ?? unreadable, cause, ...(isRaw && { raw: text ?? "" }) };
}

function bothOf(own: SecretFilter, request: SecretFilter | undefined): SecretFilter {
  if (request === undefined) return own;
  return { size: own.size + request.size, has: (text) => own.has(text) || request.has(text) };
}
