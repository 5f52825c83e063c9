// The answer to a payment gets lost, for real: the misbehaving peer carries the call out and breaks the connection.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { render } from "@recourse/core";
import { observeTransport, recourse, type TransportObserver } from "@recourse/core/client";
import { type MisbehaviourName, misbehave } from "@recourse/testing/peer";

/** One call of the agent. */
export interface Turn {
  readonly tool: "charge" | "read";
  readonly ok: boolean;
  /** What the model reads. */
  readonly text: string;
  /** Whether the customer paid by this call, as the server knows. */
  readonly paid: boolean;
}

/** What became of one order. */
export interface Payment {
  readonly turns: readonly Turn[];
  /** How often the customer really paid, counted by the server. */
  readonly charges: number;
  /** How many tool calls reached the server. */
  readonly calls: number;
  /** How many characters of failures the model read. */
  readonly errorCharacters: number;
}

type AgentCall = (tool: Turn["tool"]) => Promise<Pick<Turn, "ok" | "text">>;
type AgentTurn = Omit<Turn, "paid">;

/** How the answers to the first payments get lost. */
const LOST_ANSWERS: readonly MisbehaviourName[] = ["lost-504", "lost-socket"];

/** How often the agent tries before it gives up. */
const MAX_PAYMENT_TRIES = 3;

const AMOUNT = { amount: 42 };
const toolArguments = (tool: Turn["tool"]): Record<string, number> => (tool === "charge" ? AMOUNT : {});

/** The ways to call a tool. */
const CALL_WAYS = {
  "without Recourse":
    ({ client, signal }): AgentCall =>
    async (tool) => {
      try {
        const result = await client.callTool({ name: tool, arguments: toolArguments(tool) }, { signal });
        const [block] = result.content;
        return { ok: result.isError !== true, text: block?.type === "text" ? block.text : "" };
      } catch (thrown) {
        return { ok: false, text: String(thrown) };
      }
    },
  "with Recourse": ({ client, watched, signal }): AgentCall => {
    const mcp = recourse(client, { transport: watched });
    return async (tool) => {
      const outcome = await mcp.call(tool, toolArguments(tool), { signal });
      if (outcome.ok === false) return { ok: false, text: render(outcome.fault, { for: "model" }) };
      const [block] = outcome.result.content;
      return { ok: true, text: block?.type === "text" ? block.text : "" };
    };
  },
} as const satisfies Record<string, (given: AgentContext) => AgentCall>;

interface AgentContext {
  readonly client: Client;
  readonly watched: TransportObserver;
  readonly signal: AbortSignal;
}

/** A stand-in for a model: it does what a text says, and tries again if a text says nothing. */
async function pay(call: AgentCall, signal: AbortSignal): Promise<AgentTurn[]> {
  const turns: AgentTurn[] = [];
  const turn = async (tool: Turn["tool"]): Promise<AgentTurn> => {
    const made = { tool, ...(await call(tool)) };
    turns.push(made);
    return made;
  };
  for (let tries = 1; tries <= MAX_PAYMENT_TRIES && !signal.aborted; tries++) {
    const { ok, text } = await turn("charge");
    if (ok) break;
    if (/check the current state/i.test(text) && (await turn("read")).ok) break;
  }
  return turns;
}

/** Has an agent pay one order, in a world of its own. */
export async function playPayment(way: keyof typeof CALL_WAYS, signal: AbortSignal): Promise<Payment> {
  const lost = [...LOST_ANSWERS];
  const peer = await misbehave({ choose: ({ params }) => (params["name"] === "charge" ? lost.shift() : undefined) });
  const watched = observeTransport();
  const client = new Client({ name: "agent", version: "1.0.0" });
  try {
    await client.connect(new StreamableHTTPClientTransport(peer.url, { fetch: watched.fetch }), { signal });
    const told = await pay(CALL_WAYS[way]({ client, watched, signal }), signal);
    const arrived = peer.calls.filter(({ method }) => method === "tools/call");
    const turns = told.map((turn, at) => ({ ...turn, paid: arrived[at]?.committed === true }));
    return {
      turns,
      charges: peer.effects().total,
      calls: arrived.length,
      errorCharacters: turns.reduce((sum, { ok, text }) => sum + (ok ? 0 : text.length), 0),
    };
  } finally {
    await client.close();
    await peer.close();
  }
}
