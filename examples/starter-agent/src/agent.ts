// The loop of an agent: ask the model, make its call, show it what came back.
import type { Client } from "@modelcontextprotocol/client";
import { FaultError, fail, render } from "@recourse/faults";
import { type RecourseClient, recourse, type TransportObserver } from "@recourse/faults/client";
import type { Message, Model, ToolCall } from "./model.ts";

const MAX_TURNS = 20;

/** What the agent works with. */
export interface AgentOptions {
  readonly client: Client;
  readonly transport: TransportObserver;
  readonly model: Model;
  /** Shows the user what happens. */
  readonly print: (who: string, text: string) => void;
}

/** Works on a task until the model answers. Returns the conversation. */
export async function runAgent(task: string, options: AgentOptions): Promise<readonly Message[]> {
  const { client, transport, model, print } = options;
  const mcp = recourse(client, {
    transport,
    deadlineMs: 30_000,
    // The engine repeats a call where that is safe, and says what it decided.
    retry: {
      onDecision: ({ decision, fault }) => {
        if (decision?.do === "repeat") print("engine", `${fault?.kind}: trying again in ${decision.waitMs} ms`);
        else if (decision !== undefined) print("engine", `${fault?.kind}, effect ${fault?.effect}: not repeated`);
      },
    },
  });
  const listed = await mcp.tools();
  if (!listed.ok) throw new FaultError(listed.fault);

  const messages: Message[] = [{ from: "user", text: task }];
  print("user", task);
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const move = await model(messages, listed.result);
    if ("answer" in move) {
      print("model", move.answer);
      return [...messages, { from: "model", text: move.answer }];
    }
    print("model", `${move.call.tool} ${JSON.stringify(move.call.arguments)}`);
    const text = await callTool(mcp, move.call);
    print("tool", text);
    messages.push({ from: "model", call: move.call }, { from: "tool", id: move.call.id, text });
  }
  throw fail.internal`The model made ${MAX_TURNS} calls and gave no answer.`;
}

/**
 * A call never throws: it ends with a result, or with a fault that says what to do next. Both are a text for the model.
 * With `{ idempotencyKey }` as third argument, a call whose answer was lost on its way here could be repeated as well: see
 * docs/guide/idempotency-keys.md of Recourse.
 */
async function callTool(mcp: RecourseClient<Client>, call: ToolCall): Promise<string> {
  const outcome = await mcp.call(call.tool, call.arguments);
  if (!outcome.ok) return render(outcome.fault, { for: "model" });
  return outcome.result.content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n");
}
