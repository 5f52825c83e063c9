import { type Fault, FaultError, formatId, render, shouldReport, stampFault } from "@recourse/core";
import {
  callerRule,
  deliverIncident,
  identifyCaller,
  markRelayed,
  rememberSent,
  requestHeaders,
  requestMeta,
  requestSignal,
  toSentFault,
} from "@recourse/core/proxy";
import { relayBody } from "@recourse/core/safety";
import type { CallerRule, GuardOptions } from "@recourse/core/server";
import { FAULT_KEY, randomBytes } from "@recourse/core/wire";
import type { JsonSchemaObject } from "../document/schema-keywords.ts";
import type { CallResult } from "../reply/result.ts";
import { guardedServer, toSdkSchema } from "../sdk.ts";
import { type Api, type ApiCallOptions, type CallOutcome, callApiTool, forwardsKey } from "./call.ts";
import type { CallableTool } from "./tools.ts";

/** Registers tools on a server, and guards it if it is not guarded yet. */
export function registerApi(
  server: object,
  api: Api,
  tools: readonly CallableTool[],
  guardOptions: GuardOptions,
): void {
  const keyed = new Set(tools.filter(forwardsKey).map(({ name }) => name));
  const guarded = guardedServer(server, {
    ...guardOptions,
    idempotency: { forwardsKey: (name) => keyed.has(name), ...guardOptions.idempotency },
  });
  const rule = callerRule(server);
  for (const tool of tools) {
    const { name, description, annotations, inputSchema, declares } = tool;
    const config = { description, annotations, inputSchema: cachedSdkSchema(inputSchema), _meta: declares };
    guarded.registerTool(name, config, async (args, context) =>
      toCallResult(api, tool, await callApiTool(api, tool, args, callOptionsFrom(context, rule))),
    );
  }
}

/** Over HTTP there may be a server for each request, so each schema is converted once. */
const sdkSchemas = new WeakMap<JsonSchemaObject, object>();

function cachedSdkSchema(schema: JsonSchemaObject): object {
  const converted = sdkSchemas.get(schema) ?? toSdkSchema(schema);
  sdkSchemas.set(schema, converted);
  return converted;
}

function callOptionsFrom(context: unknown, rule: CallerRule | undefined): ApiCallOptions {
  return {
    signal: requestSignal(context),
    meta: requestMeta(context),
    headers: requestHeaders(context),
    identify: () => identifyCaller(context, rule),
  };
}

/** The result for the SDK. A fault is thrown, so that the guard reports and encodes it, unless its body is relayed. */
function toCallResult(api: Api, tool: CallableTool, outcome: CallOutcome): CallResult {
  if (outcome.ok) return outcome.result;
  const { fault, cause } = outcome;
  if (tool.foreignText === "raw" && fault.origin.layer === "upstream") return rawResult(api, tool.name, outcome);
  // A caller that reads what the service said about its own mistake needs no incident.
  const isQuoted = fault.quote !== undefined || fault.issues?.some(({ message }) => message !== undefined) === true;
  const isTold = isQuoted && !shouldReport(fault, { textHidden: false });
  throw new FaultError(fault, isTold ? {} : { cause });
}

/**
 * The body of the service as it is, past the guard and its dialect, with the fault beside it. A body that is empty or may
 * not be passed on is replaced by the text of the fault, and no data is made up for it.
 */
function rawResult(api: Api, tool: string, outcome: Extract<CallOutcome, { ok: false }>): CallResult {
  const { raw = "" } = outcome;
  const body = raw === "" ? undefined : relayBody(raw, api.secrets);
  const sent = reportFailure(tool, outcome, api);
  rememberSent(sent);
  return markRelayed({
    isError: true,
    content: [{ type: "text", text: body?.text ?? render(sent, { for: "model" }) }],
    ...(body?.object !== undefined && { structuredContent: body.object }),
    _meta: { [FAULT_KEY]: toSentFault(sent) },
  });
}

/**
 * Reports a failed call of a tool, unless the failure is the caller's mistake. Returns the fault as it is sent: with the id
 * of the incident if it was reported.
 */
export function reportFailure(
  tool: string,
  { fault, cause }: { readonly fault: Fault; readonly cause?: unknown },
  { sink, now }: Pick<Api, "sink" | "now">,
): Fault {
  if (!shouldReport(fault, { textHidden: false })) return fault;
  const at = new Date(now()).toISOString();
  const reported = stampFault(fault, { incident: fault.incident ?? formatId(now(), randomBytes()), at });
  deliverIncident(sink, { fault: reported, at, tool, ...(cause !== undefined && { cause }) });
  return reported;
}
