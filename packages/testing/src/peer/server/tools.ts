// The tools that every peer has. Their descriptions are sent to clients.

import { FaultError } from "@recourse/core";
import { tool as toolReasons } from "@recourse/core/reasons";
import { CALL_KEY, type JsonObject, memberAt, numberAt, objectAt, stringAt } from "@recourse/core/wire";
import { untilAborted, wait, withTimeout } from "../clock.ts";
import { type PeerRequest, toTextResult } from "../json-rpc.ts";
import { type MethodContext, type MethodHandler, missingParameter, type PeerTool, paginate } from "./state.ts";

/** What a request says about its call: in `_meta["recourse/call"]`, or by the order that it is for. */
export function callMetadata(request: PeerRequest): {
  readonly callId: string;
  readonly key: string | undefined;
  readonly attempt: number | undefined;
  readonly deadlineMs: number | undefined;
} {
  const facts = objectAt(request.meta, CALL_KEY);
  return {
    callId: stringAt(facts, "id") ?? stringAt(objectAt(request.params, "arguments"), "order") ?? String(request.id),
    key: stringAt(facts, "key"),
    attempt: numberAt(facts, "attempt"),
    deadlineMs: numberAt(facts, "deadlineMs"),
  };
}

const charge: PeerTool = {
  description: "Takes money: the effect that must not happen twice.",
  parameters: { amount: "number", order: "string?" },
  annotations: { readOnlyHint: false, idempotentHint: false },
  run(args, context) {
    const { effects, idempotency } = context.state;
    const { callId, key } = callMetadata(context.request);
    const commit = (): JsonObject => {
      effects.record({ tool: "charge", call: callId, key });
      context.onEffect();
      return toTextResult(`Charged ${args["amount"]}.`);
    };
    return idempotency && key !== undefined ? effects.runOnce(key, { tool: "charge", args }, commit) : commit();
  },
};

const readTool: PeerTool = {
  description: "Tells how much was done so far; changes nothing.",
  parameters: {},
  annotations: { readOnlyHint: true },
  outputSchema: { type: "object", properties: { effects: { type: "number" } }, required: ["effects"] },
  run(_, { state }) {
    const effects = state.effects.counts().total;
    return { ...toTextResult(`Effects so far: ${effects}.`), structuredContent: { effects } };
  },
};

const echo: PeerTool = {
  description: "Says what it is told.",
  parameters: { text: "string" },
  annotations: { readOnlyHint: true },
  run: ({ text }) => toTextResult(String(text)),
};

const sleepTool: PeerTool = {
  description: "Takes as long as it is told.",
  parameters: { ms: "number" },
  async run({ ms }, { request, signal, send }) {
    const progressToken = request.meta["progressToken"];
    if (progressToken !== undefined)
      send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: 0, total: 1 } });
    await wait(Number(ms), signal);
    return toTextResult("Awake.");
  },
};

const divide: PeerTool = {
  description: "Divides whole numbers; has a bug that a zero brings to light.",
  parameters: { a: "number", b: "number" },
  run: ({ a, b }) => toTextResult(String(BigInt(Number(a)) / BigInt(Number(b)))),
};

export const PEER_TOOLS = {
  charge,
  read: readTool,
  echo,
  sleep: sleepTool,
  divide,
} as const satisfies Record<string, PeerTool>;

// The methods `tools/…`.
const listPeerTools: MethodHandler = (context) =>
  paginate(
    context,
    "tools",
    [...context.state.tools].map(([name, { description, parameters, annotations, outputSchema }]) => ({
      name,
      description,
      inputSchema: inputSchemaOf(parameters),
      ...(annotations !== undefined && { annotations }),
      ...(outputSchema !== undefined && { outputSchema }),
    })),
  );

function inputSchemaOf(parameters: PeerTool["parameters"]): JsonObject {
  const entries = Object.entries(parameters);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, type]) => [name, { type: type.replace("?", "") }])),
    required: entries.filter(([, type]) => !type.endsWith("?")).map(([name]) => name),
  };
}

const callTool: MethodHandler = (context) => {
  const { state, request } = context;
  const name = stringAt(request.params, "name");
  if (name === undefined) throw missingParameter("name");
  const tool = state.tools.get(name);
  if (tool === undefined) throw toolReasons.not_found({ tool: name });
  const args = objectAt(request.params, "arguments") ?? {};
  checkTypes(name, tool, args);
  return runWithTimeout(name, tool, args, context);
};

/** Runs a tool until it ends, the client cancels it, or its time is up. */
function runWithTimeout(name: string, tool: PeerTool, args: JsonObject, context: MethodContext): Promise<JsonObject> {
  const { limits } = context.state;
  const timeoutMs = Math.min(limits.toolMs, callMetadata(context.request).deadlineMs ?? limits.toolMs);
  const timeoutError = () => toolReasons.timeout({ tool: name, timeoutMs });
  return withTimeout(timeoutMs, { signal: context.signal, timeoutError }, async (signal) => {
    const result = await Promise.race([
      runTool(name, tool, args, { ...context, signal }),
      untilAborted(context.signal),
    ]);
    const { aborted, reason } = context.signal;
    if (aborted || result === undefined)
      throw toolReasons.cancelled({ tool: name, ...(typeof reason === "string" && { reason }) });
    return result;
  });
}

async function runTool(name: string, tool: PeerTool, args: JsonObject, context: MethodContext): Promise<JsonObject> {
  try {
    return await tool.run(args, context);
  } catch (thrown) {
    if (FaultError.is(thrown)) throw thrown;
    throw toolReasons.execution_failed({ tool: name, reason: thrown instanceof Error ? thrown.name : "exception" });
  }
}

function checkTypes(name: string, { parameters }: PeerTool, args: JsonObject): void {
  for (const [parameter, type] of Object.entries(parameters)) {
    const value = memberAt(args, parameter);
    if (value === undefined && type.endsWith("?")) continue;
    if (value === undefined)
      throw toolReasons.invalid_arguments({ tool: name, details: `Missing required parameter: ${parameter}` });
    if (typeof value !== type.replace("?", ""))
      throw toolReasons.invalid_arguments({ tool: name, details: `Wrong type of parameter: ${parameter}` });
  }
}

export const TOOL_METHODS = {
  "tools/list": listPeerTools,
  "tools/call": callTool,
} as const satisfies Record<string, MethodHandler>;
