// The tools that every peer has. Their descriptions are sent to clients.
import { CALL_KEY } from "../../../json/names.ts";
import { type JsonObject, numberAt, objectAt, stringAt } from "../../../json/read.ts";
import {
  declined,
  failed as elicitation_failed,
  timeout as elicitation_timeout,
} from "../../../reasons/library/elicitation.ts";
import { failed as sampling_failed } from "../../../reasons/library/sampling.ts";
import { wait } from "../clock.ts";
import { type PeerRequest, textResult } from "../json-rpc.ts";
import { requestClient } from "./client-requests.ts";
import type { PeerTool } from "./state.ts";

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
      return textResult(`Charged ${args["amount"]}.`);
    };
    return idempotency && key !== undefined ? effects.runOnce(key, { tool: "charge", args }, commit) : commit();
  },
};

const read: PeerTool = {
  description: "Tells how much was done so far; changes nothing.",
  parameters: {},
  annotations: { readOnlyHint: true },
  outputSchema: { type: "object", properties: { effects: { type: "number" } }, required: ["effects"] },
  run(_, { state }) {
    const effects = state.effects.counts().total;
    return { ...textResult(`Effects so far: ${effects}.`), structuredContent: { effects } };
  },
};

const echo: PeerTool = {
  description: "Says what it is told.",
  parameters: { text: "string" },
  annotations: { readOnlyHint: true },
  run: ({ text }) => textResult(String(text)),
};

const sleep: PeerTool = {
  description: "Takes as long as it is told.",
  parameters: { ms: "number" },
  async run({ ms }, { request, signal, send }) {
    const progressToken = request.meta["progressToken"];
    if (progressToken !== undefined)
      send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: 0, total: 1 } });
    await wait(Number(ms), signal);
    return textResult("Awake.");
  },
};

const divide: PeerTool = {
  description: "Divides whole numbers; has a bug that a zero brings to light.",
  parameters: { a: "number", b: "number" },
  run: ({ a, b }) => textResult(String(BigInt(Number(a)) / BigInt(Number(b)))),
};

const reset: PeerTool = {
  description: "Ends all sessions; for administrators.",
  parameters: {},
  role: "admin",
  run(_, { state }) {
    state.sessions.clear();
    return textResult("Reset.");
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
      refusedError: () => sampling_failed({ reason: "client_refused" }),
      timeoutError: () => sampling_failed({ reason: "no_answer" }),
    });
    return textResult(stringAt(result["content"], "text") ?? "");
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
      refusedError: () => elicitation_failed(),
      timeoutError: () => elicitation_timeout(),
    });
    if (result["action"] !== "accept") throw declined();
    return textResult("Confirmed.");
  },
};

/** The tools by name. */
export const TOOLS = { charge, read, echo, sleep, divide, reset, summarise, confirm } as const satisfies Record<
  string,
  PeerTool
>;
