// The control address of a peer over HTTP: how a program in any language sets the next steps and reads what was done.
import type { IncomingMessage, ServerResponse } from "node:http";
import { isObject, type JsonObject, numberAt, parseJson, stringAt } from "../../json/read.ts";
import type { MisbehaviourName } from "./misbehaviours/http.ts";
import { JSON_TYPE } from "./misbehaviours/http-exchange.ts";
import type { CompliantServer } from "./server/compliant-server.ts";
import type { Step, StepQueue } from "./step-queue.ts";

/** The path of the control address. */
export const CONTROL_PATH = "/control";

/** Answers one request at the control address. */
export type Control = (incoming: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Longest body of an order. */
const MAX_BYTES = 65_536;
/** How many of the last calls are reported. */
const LAST_CALLS = 1_000;

/** Creates the control of a peer: GET tells what was done, POST sets the next steps or advances the clock. */
export function createControl(
  server: CompliantServer,
  steps: Pick<StepQueue<MisbehaviourName>, "next" | "clear">,
): Control {
  /** Carries an order out; returns what is wrong with it. */
  function obey(order: unknown): string | undefined {
    if (!isObject(order)) return "Send a JSON object.";
    const unknown = Object.keys(order).find((name) => !Object.hasOwn(ORDERS, name));
    if (unknown !== undefined) return `There is no order "${unknown}". Orders: ${Object.keys(ORDERS).join(", ")}.`;
    const wrong = Object.entries(order).find(([name, value]) => !ORDERS[name as keyof typeof ORDERS](value));
    if (wrong !== undefined) return `The value of "${wrong[0]}" has the wrong type.`;
    if (order["clear"] === true) steps.clear();
    const on = stringAt(order, "on");
    const { next = [] } = order;
    try {
      steps.next((Array.isArray(next) ? next : [next]) as Step<MisbehaviourName>[], on === undefined ? {} : { on });
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message : String(thrown);
    }
    server.state.clock.advance(numberAt(order, "advanceClockMs") ?? 0);
    return undefined;
  }

  return async (incoming, response) => {
    const answer = (status: number, body: JsonObject): void => {
      response.writeHead(status, JSON_TYPE).end(`${JSON.stringify(body)}\n`);
    };
    if (incoming.method !== "GET" && incoming.method !== "POST")
      return void response.writeHead(405, { allow: "GET, POST" }).end();
    if (incoming.method === "POST") {
      const problem = obey(parseJson(await readText(incoming)));
      if (problem !== undefined) return answer(400, { problem });
    }
    answer(200, { effects: server.state.effects.counts(), calls: server.received.slice(-LAST_CALLS) });
  };
}

const isStep = (value: unknown): boolean =>
  typeof value === "string" || (isObject(value) && typeof value["do"] === "string");

/** The orders, each with what its value must be. */
const ORDERS = {
  next: (value: unknown) => (Array.isArray(value) ? value.every(isStep) : isStep(value)),
  on: (value: unknown) => typeof value === "string",
  clear: (value: unknown) => typeof value === "boolean",
  advanceClockMs: (value: unknown) => Number.isSafeInteger(value),
} as const;

/** The body as text; empty if it is too long. */
async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BYTES) chunks.push(chunk);
  }
  return bytes <= MAX_BYTES ? Buffer.concat(chunks).toString() : "";
}
