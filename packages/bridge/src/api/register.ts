import { FaultError, render, type SecretFilter, shouldReport } from "@recourse/faults";
import {
  callerRule,
  identifyCaller,
  markRelayed,
  rememberSent,
  requestHeaders,
  requestMeta,
  requestSignal,
  toSentFault,
} from "@recourse/faults/proxy";
import { relayBody } from "@recourse/faults/safety";
import type { CallerRule, GuardOptions } from "@recourse/faults/server";
import { FAULT_KEY } from "@recourse/wire";
import type { JsonSchemaObject } from "../document/schema-keywords.ts";
import type { CallResult } from "../reply/result.ts";
import { guardedServer, type SdkSchema, toSdkSchema } from "../sdk.ts";
import { type ApiCallOptions, type CallOutcome, forwardsKey } from "./call.ts";
import { type FailureLog, reportFailure } from "./report.ts";
import type { CallableTool } from "./tools.ts";

/** Options for registering the tools of an API. */
export interface ApiRegistration {
  readonly tools: readonly CallableTool[];
  readonly call: (tool: CallableTool, args: unknown, options: ApiCallOptions) => Promise<CallOutcome>;
  /** For a server that is not guarded yet. */
  readonly guardOptions: GuardOptions;
  /** Finds the credentials of this server. */
  readonly secrets: SecretFilter;
  /** Where a failure is reported whose body is relayed unchanged, past the guard. */
  readonly log: FailureLog;
}

/** Registers tools on a server, and guards it if it is not guarded yet. */
export function registerApi(server: object, registration: ApiRegistration): void {
  const { tools, guardOptions } = registration;
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
      toCallResult(tool, await registration.call(tool, args, callOptionsFrom(context, rule)), registration),
    );
  }
}

/** Over HTTP there may be a server for each request, so each schema is converted once. */
const sdkSchemas = new WeakMap<JsonSchemaObject, SdkSchema>();

function cachedSdkSchema(schema: JsonSchemaObject): SdkSchema {
  const converted = sdkSchemas.get(schema) ?? toSdkSchema(schema);
  sdkSchemas.set(schema, converted);
  return converted;
}

/** The options of a call, from the context that the SDK passes to a handler. */
function callOptionsFrom(context: unknown, rule: CallerRule | undefined): ApiCallOptions {
  return {
    signal: requestSignal(context),
    meta: requestMeta(context),
    headers: requestHeaders(context),
    identify: () => identifyCaller(context, rule),
  };
}

/** The result for the SDK. A fault is thrown, so that the guard reports and encodes it, unless its body is relayed. */
function toCallResult(tool: CallableTool, outcome: CallOutcome, registration: ApiRegistration): CallResult {
  if (outcome.ok) return outcome.result;
  const { fault, cause } = outcome;
  if (tool.foreignText === "raw" && fault.origin.layer === "upstream")
    return rawResult(tool.name, outcome, registration);
  // A caller that reads what the service said about its own mistake needs no incident.
  const isQuoted = fault.quote !== undefined || fault.issues?.some(({ message }) => message !== undefined) === true;
  const isTold = isQuoted && !shouldReport(fault, { textHidden: false });
  throw new FaultError(fault, isTold ? {} : { cause });
}

/**
 * The body of the service as it is, past the guard and its dialect, with the fault beside it. A body that is empty or may not
 * be passed on is replaced by the text of the fault, and no data is made up for it.
 */
function rawResult(
  tool: string,
  outcome: Extract<CallOutcome, { ok: false }>,
  { secrets, log }: ApiRegistration,
): CallResult {
  const { raw = "" } = outcome;
  const body = raw === "" ? undefined : relayBody(raw, secrets);
  const sent = reportFailure(tool, outcome, log);
  rememberSent(sent);
  return markRelayed({
    isError: true,
    content: [{ type: "text", text: body?.text ?? render(sent, { for: "model" }) }],
    ...(body?.object !== undefined && { structuredContent: body.object }),
    _meta: { [FAULT_KEY]: toSentFault(sent) },
  });
}
