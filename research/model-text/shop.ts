// A guarded shop, and what a host shows a model of its failures.
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { type Fault, FaultError, render } from "@recourse/core";
import { type ClientLike, type RecourseOptions, recourse } from "@recourse/core/client";
import { type GuardOptions, guard } from "@recourse/core/server";
import * as z from "zod";
import { type FixedClock, fixedClock, fixedId, fixedServer, withoutIds } from "./fixed.ts";

const INFO = { name: "shop", version: "1.0.0" };
type Handler = (clock: FixedClock, signal?: AbortSignal) => unknown;

/** What the shop is asked, and how it is set up. */
export interface Asked {
  /** The handler of the tools `save_order` and `read_order`. */
  readonly does?: Handler;
  readonly options?: GuardOptions;
  /** `false` for a server of the official SDK as it is. */
  readonly guarded?: boolean;
  readonly clock?: FixedClock;
}

const ORDER = z.strictObject({
  customer: z.email(),
  quantity: z.int().min(1).max(99),
  size: z.enum(["small", "medium", "large"]),
  note: z.string().max(20).optional(),
  items: z.array(z.strictObject({ sku: z.string(), count: z.int() })).optional(),
});

/** Arguments that `create_order` accepts. */
export const GOOD = { customer: "ann@example.com", quantity: 2, size: "small" };

function createShop({ does = () => done, options, guarded = true, clock = fixedClock() }: Asked): McpServer {
  const bare = new McpServer(INFO);
  const server = guarded ? guard(bare, { ...fixedServer, ...options }) : bare;
  const handle = async (context: { readonly mcpReq?: { readonly signal?: AbortSignal } }) =>
    (await does(clock, context.mcpReq?.signal)) as typeof done;
  server.registerTool("create_order", { inputSchema: ORDER }, () => done);
  server.registerTool("save_order", {}, handle);
  server.registerTool("read_order", { annotations: { readOnlyHint: true } }, handle);
  const outputSchema = z.object({ total: z.number() });
  const wrong = () => ({ content: [], structuredContent: { total: "a lot" } }) as never;
  server.registerTool("sum_orders", { outputSchema, annotations: { readOnlyHint: true } }, wrong);
  server.registerTool("sum_and_save", { outputSchema }, wrong);
  server.registerResource("terms", "shop://terms", {}, () => ({ contents: [] }));
  const argsSchema = z.object({ month: z.string() });
  server.registerPrompt("monthly_report", { argsSchema }, () => ({ messages: [] }));
  return server;
}

/** What a tool returns that succeeds. */
export const done = { content: [{ type: "text" as const, text: "done" }] };

async function connect(asked: Asked): Promise<Client> {
  const client = new Client(INFO);
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([createShop(asked).connect(here), client.connect(there)]);
  return client;
}

/** What a host shows a model: the text of a failed result, or the message of an error. */
async function textOf(ask: Promise<unknown>): Promise<string> {
  const text = await ask.then(
    (result) => {
      const { content = [], isError } = result as { content?: readonly { text?: string }[]; isError?: boolean };
      if (isError !== true) throw new Error(`the call did not fail: ${JSON.stringify(result)}`);
      return content.map((one) => one.text ?? "").join("\n");
    },
    (error: unknown) => (error as Error).message,
  );
  return withoutIds(text);
}

/** Asks a server, guarded unless stated, with the official client. */
export async function ask(asked: Asked, request: (client: Client) => Promise<unknown>): Promise<string> {
  const client = await connect(asked);
  try {
    return await textOf(request(client));
  } finally {
    await client.close();
  }
}

/** Calls a tool. */
export function call(name: string, args: Record<string, unknown> = {}, asked: Asked = {}): Promise<string> {
  return ask(asked, (client) => client.callTool({ name, arguments: args }));
}

/** What a model reads when a tool throws. */
export function throwing(thrown: unknown, { tool = "save_order", ...asked }: Asked & { tool?: string } = {}) {
  const does = () => {
    throw thrown;
  };
  return call(tool, {}, { does, ...asked });
}

/** The client kit at the shop, with a clock that moves only when somebody waits. */
export interface KitSession {
  readonly mcp: ReturnType<typeof recourse<ClientLike>>;
  readonly clock: FixedClock;
}

/** What a model reads of the last call of a session with the client kit. */
export async function withKit(
  asked: Asked & { readonly kit?: Omit<RecourseOptions, "inputRequired" | "reconnect"> },
  session: (kit: KitSession) => Promise<{ readonly ok: boolean; readonly fault?: Fault }>,
): Promise<string> {
  const clock = fixedClock();
  const client = await connect({ ...asked, clock });
  const { now, sleep } = clock;
  const testing = { clock: { now, monotonic: now, sleep }, random: () => 0.5, createId: fixedId };
  const kit = { testing, ...asked.kit };
  const mcp = recourse<ClientLike>(client as never, kit);
  try {
    return withoutIds(readBy(await session({ mcp, clock })));
  } finally {
    await client.close();
  }
}

/** What a model reads of a failed outcome. */
export function readBy(outcome: { readonly ok: boolean; readonly fault?: Fault }): string {
  if (outcome.fault === undefined) throw new Error("the call did not fail");
  return render(outcome.fault, { for: "model" });
}

/** A handler that throws a fault again and again, each time after some time. */
export function failing(error: FaultError, tookMs = 1_000): Handler {
  return (clock) => {
    clock.advance(tookMs);
    throw new FaultError(error.fault);
  };
}
