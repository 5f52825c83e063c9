import type { Json } from "../../../dialects/wire.ts";
import { numberAt, objectAt, stringAt } from "../../../dialects/wire.ts";
import {
  declined,
  failed as elicitation_failed,
  timeout as elicitation_timeout,
} from "../../../reasons/library/elicitation.ts";
import { failed as sampling_failed } from "../../../reasons/library/sampling.ts";
import { wait } from "../clock.ts";
import { textResult } from "../message.ts";
import { askClient } from "./question.ts";
import type { Context, Tool } from "./world.ts";

/** What is known about a call: from the client kit, which sends it with every attempt, or from the order it is for. */
export function callFacts({ ask }: Pick<Context, "ask">): {
  readonly call: string;
  readonly key: string | undefined;
  readonly attempt: number | undefined;
  readonly deadlineMs: number | undefined;
} {
  const facts = objectAt(ask.meta, "recourse/call");
  return {
    call: stringAt(facts, "id") ?? stringAt(objectAt(ask.params, "arguments"), "order") ?? String(ask.id),
    key: stringAt(facts, "key"),
    attempt: numberAt(facts, "attempt"),
    deadlineMs: numberAt(facts, "deadlineMs"),
  };
}

const charge: Tool = {
  description: "Takes money: the effect that must not happen twice.",
  parameters: { amount: "number", order: "string?" },
  annotations: { readOnlyHint: false, idempotentHint: false },
  run(args, context) {
    const { ledger, keys } = context.world;
    const { call, key } = callFacts(context);
    const commit = (): Json => {
      ledger.apply({ tool: "charge", call, key });
      context.applied();
      return textResult(`Charged ${args["amount"]}.`);
    };
    return keys && key !== undefined ? ledger.once(key, { tool: "charge", args }, commit) : commit();
  },
};

const read: Tool = {
  description: "Tells how much was done so far; changes nothing.",
  parameters: {},
  annotations: { readOnlyHint: true },
  outputSchema: { type: "object", properties: { effects: { type: "number" } }, required: ["effects"] },
  run(_, { world }) {
    const effects = world.ledger.effects().total;
    return { ...textResult(`${effects} effects.`), structuredContent: { effects } };
  },
};

const echo: Tool = {
  description: "Says what it is told.",
  parameters: { text: "string" },
  annotations: { readOnlyHint: true },
  run: ({ text }) => textResult(String(text)),
};

const sleep: Tool = {
  description: "Takes as long as it is told.",
  parameters: { ms: "number" },
  async run({ ms }, { ask, signal, send }) {
    const progressToken = ask.meta["progressToken"];
    if (progressToken !== undefined)
      send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: 0, total: 1 } });
    await wait(Number(ms), signal);
    return textResult("Awake.");
  },
};

const divide: Tool = {
  description: "Divides whole numbers; has a bug that a zero brings to light.",
  parameters: { a: "number", b: "number" },
  run: ({ a, b }) => textResult(String(BigInt(Number(a)) / BigInt(Number(b)))),
};

const reset: Tool = {
  description: "Ends all sessions; for administrators.",
  parameters: {},
  role: "admin",
  run(_, { world }) {
    world.sessions.clear();
    return textResult("Reset.");
  },
};

const summarise: Tool = {
  description: "Has the client's model summarise a text.",
  parameters: { text: "string" },
  async run({ text }, context) {
    const result = await askClient(context, {
      capability: "sampling",
      method: "sampling/createMessage",
      params: { maxTokens: 64, messages: [{ role: "user", content: { type: "text", text } }] },
      refused: () => sampling_failed({ reason: "client_refused" }),
      late: () => sampling_failed({ reason: "no_answer" }),
    });
    return textResult(stringAt(result["content"], "text") ?? "");
  },
};

const confirm: Tool = {
  description: "Asks the user for a yes.",
  parameters: { question: "string" },
  async run({ question }, context) {
    const result = await askClient(context, {
      capability: "elicitation",
      method: "elicitation/create",
      params: { message: question, requestedSchema: { type: "object", properties: { yes: { type: "boolean" } } } },
      refused: () => elicitation_failed(),
      late: () => elicitation_timeout(),
    });
    if (result["action"] !== "accept") throw declined();
    return textResult("Confirmed.");
  },
};

/** The tools that every peer has. */
export const TOOLS = { charge, read, echo, sleep, divide, reset, summarise, confirm } as const satisfies Record<
  string,
  Tool
>;
