// A model for a machine without one: it makes the calls of a script and follows the advice that it reads. It makes the
// mistake that models make, a number as text, so that you see it corrected.
import type { Message, Model, Move } from "./model.ts";

/** What the user asks for. */
export const TASK = "Where is my order 7? And please refund orders 8 and 9.";

interface Step {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The call to make where the answer matches. */
  readonly follow?: { readonly advice: RegExp; readonly step: Step };
}

const SCRIPT: readonly Step[] = [
  { tool: "get_order", arguments: { order: 7 } },
  {
    tool: "track_parcel",
    arguments: { order: "7" },
    follow: { advice: /Correct the arguments/, step: { tool: "track_parcel", arguments: { order: 7 } } },
  },
  { tool: "refund_order", arguments: { order: 8 } },
  {
    tool: "refund_order",
    arguments: { order: 9 },
    follow: { advice: /Check the current state/, step: { tool: "get_order", arguments: { order: 9 } } },
  },
];

/** Creates a model that follows the script once. */
export function scriptedModel(): Model {
  const steps = [...SCRIPT];
  let last: Step | undefined;
  let calls = 0;
  return async (messages) => {
    const read = messages.at(-1);
    const follow = read?.from === "tool" ? last?.follow : undefined;
    last = follow?.advice.test(textOf(read)) === true ? follow.step : steps.shift();
    if (last === undefined) return { answer: summaryOf(messages) };
    calls += 1;
    return { call: { id: `call-${calls}`, tool: last.tool, arguments: last.arguments } } satisfies Move;
  };
}

/** What the model would say at the end: the last thing that it read about each order. */
function summaryOf(messages: readonly Message[]): string {
  const answers = new Map<string, string>();
  for (const message of messages) {
    const [, order] = /order (\d+)/i.exec(textOf(message)) ?? [];
    if (message.from === "tool" && order !== undefined) answers.set(order, textOf(message));
  }
  return [...answers.values()].join(" ");
}

function textOf(message: Message | undefined): string {
  return message !== undefined && "text" in message ? message.text : "";
}
