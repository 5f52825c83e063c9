// Calls a server that may be written in any language, and returns what the client kit makes of it.
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { render } from "@recourse/faults";
import { type CallOptions, observeTransport, recourse } from "@recourse/faults/client";

/** How one call ended. */
export interface Answer {
  readonly ok: boolean;
  /** What the model reads. */
  readonly text: string;
  readonly reason?: string;
  readonly effect?: string;
  /** What was decided after each attempt that failed. */
  readonly decisions: readonly string[];
  /** The last lines of the server's standard error. */
  readonly stderr: readonly string[];
}

/** Starts a server of this folder, calls one tool, and ends the server. */
export async function callTool(
  command: string,
  file: string,
  tool: string,
  options: CallOptions = {},
): Promise<Answer> {
  const decisions: string[] = [];
  const transport = observeTransport();
  const path = fileURLToPath(new URL(file, import.meta.url));
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(transport.child(new StdioClientTransport({ command, args: [path], stderr: "pipe" })));
  const mcp = recourse(client, {
    transport,
    deadlineMs: tool === "silent" ? 1_500 : 20_000,
    retry: {
      policy: { baseMs: 1 },
      onDecision: ({ decision }) => {
        if (decision !== undefined) decisions.push(decision.do === "stop" ? `stop: ${decision.why}` : decision.do);
      },
    },
  });
  const outcome = await mcp.call(tool, {}, options);
  const { stderr } = transport.connection();
  await client.close();
  if (outcome.ok) return { ok: true, text: JSON.stringify(outcome.result.content), decisions, stderr };
  const { fault } = outcome;
  const text = render(fault, { for: "model" });
  return { ok: false, text, reason: fault.reason, effect: fault.effect, decisions, stderr };
}
