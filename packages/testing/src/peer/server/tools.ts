// The tools that every peer has. Their descriptions are sent to clients.

import { content, core, elicitation, FaultError, protocol, sampling, tool as toolReasons } from "@recourse/faults";
import { CALL_KEY, isObject, type JsonObject, memberAt, numberAt, objectAt, stringAt } from "@recourse/wire";
import { untilAborted, wait, withTimeout } from "../clock.ts";
import { type PeerRequest, type RequestId, toTextResult } from "../json-rpc.ts";
import { requireRole, startTask } from "./lifecycle.ts";
import {
  type MethodContext,
  type MethodHandler,
  missingParameter,
  type PeerSession,
  type PeerTool,
  paginate,
} from "./state.ts";

// Requests from the server to its client: sampling and elicitation.

/** A request to the client, and the faults that it may end in. */
interface ClientRequest {
  readonly capability: "sampling" | "elicitation";
  readonly method: string;
  readonly params: JsonObject;
  /** The fault when the client answers with an error. */
  readonly refusedError: () => Error;
  /** The fault when the client does not answer in time. */
  readonly timeoutError: () => Error;
}

/** Sends a request to the client and gives its result. The client must have declared the capability. */
async function requestClient(context: MethodContext, question: ClientRequest): Promise<JsonObject> {
  const { state, session, signal, send } = context;
  const { capability, method, params, refusedError, timeoutError } = question;
  if (!Object.hasOwn(session.capabilities, capability))
    throw protocol.missing_client_capability({ capabilities: [capability] });
  const id = state.nextId("question");
  const token = state.nextId("progress");
  state.progressTokens.set(token, "live");
  try {
    const response = await withTimeout(state.limits.questionMs, { signal, timeoutError }, () => {
      const coming = new Promise<JsonObject>((resolve) => session.pending.set(id, resolve));
      send({ jsonrpc: "2.0", id, method, params: { ...params, _meta: { progressToken: token } } });
      return coming;
    });
    const result = objectAt(response, "result");
    if (result === undefined) throw refusedError();
    return result;
  } finally {
    session.pending.delete(id);
    state.progressTokens.set(token, "ended");
  }
}

/** Hands a response of the client to the request that waits for it. A response to no request is ignored. */
export function deliverResponse(session: PeerSession | undefined, id: RequestId, message: JsonObject): void {
  session?.pending.get(id)?.(message);
}

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

const reset: PeerTool = {
  description: "Ends all sessions; for administrators.",
  parameters: {},
  role: "admin",
  run(_, { state }) {
    state.sessions.clear();
    return toTextResult("Reset.");
  },
};

const summarise: PeerTool = {
  description: "Has the client's model summarise a text.",
  parameters: { text: "string" },
  async run({ text }, context) {
    const result = await requestClient(context, {
      capability: "sampling",
      method: "sampling/createMessage",
      params: { maxTokens: 64, messages: [{ role: "user", content: { type: "text", text } }] },
      refusedError: () => sampling.failed({ reason: "client_refused" }),
      timeoutError: () => sampling.failed({ reason: "no_answer" }),
    });
    return toTextResult(stringAt(result["content"], "text") ?? "");
  },
};

const confirm: PeerTool = {
  description: "Asks the user for a yes.",
  parameters: { question: "string" },
  async run({ question }, context) {
    const result = await requestClient(context, {
      capability: "elicitation",
      method: "elicitation/create",
      params: { message: question, requestedSchema: { type: "object", properties: { yes: { type: "boolean" } } } },
      refusedError: () => elicitation.failed(),
      timeoutError: () => elicitation.timeout(),
    });
    if (result["action"] !== "accept") throw elicitation.declined();
    return toTextResult("Confirmed.");
  },
};

/** The tools by name. */
export const PEER_TOOLS = {
  charge,
  read: readTool,
  echo,
  sleep: sleepTool,
  divide,
  reset,
  summarise,
  confirm,
} as const satisfies Record<string, PeerTool>;

// The methods `tools/…`: listing, calling and registering tools.
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
  const { state, request, principal } = context;
  const name = stringAt(request.params, "name");
  if (name === undefined) throw missingParameter("name");
  const tool = state.tools.get(name);
  if (tool === undefined) throw toolReasons.not_found({ tool: name });
  requireRole(principal, tool.role, `tools/call:${name}`);
  const args = objectAt(request.params, "arguments") ?? {};
  checkSizes(args, state.limits.contentBytes);
  checkTypes(name, tool, args);
  if (!isObject(memberAt(request.params, "task"))) return runWithTimeout(name, tool, args, context);
  // A task outlives its request, and the stream on which it could send.
  return startTask(state, (signal) => runTool(name, tool, args, { ...context, signal, send: () => {} }));
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

function checkSizes(args: JsonObject, maxSize: number): void {
  for (const value of Object.values(args)) {
    const actualSize = typeof value === "string" ? Buffer.byteLength(value) : 0;
    if (actualSize > maxSize) throw content.too_large({ actualSize, maxSize });
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

/** Adds a tool that answers with its description. */
const registerTool: MethodHandler = ({ state, request }) => {
  const name = stringAt(request.params, "name") ?? "";
  const description = stringAt(request.params, "description") ?? "";
  const { descriptionLength } = state.limits;
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name)) throw core.validation_failed({ field: "name", constraint: "tool_name" });
  if (description.length > descriptionLength)
    throw toolReasons.description_too_long({ actualLength: description.length, maxLength: descriptionLength });
  state.tools.set(name, { description, parameters: {}, run: () => toTextResult(description) });
  return {};
};

export const TOOL_METHODS = {
  "tools/list": listPeerTools,
  "tools/call": callTool,
  "tools/register": registerTool,
} as const satisfies Record<string, MethodHandler>;
