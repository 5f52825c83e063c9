import type { Client } from "@modelcontextprotocol/client";
import type { Clock } from "./clock.ts";
import type { Call, Reply } from "./model.ts";

const ATTEMPTS = 3;

/** How many agents call: whatever fails is tried three times, with a growing wait. */
export function plainCall(client: Client, clock: Clock): Call {
  return async (tool) => {
    let reply = await once(client, tool);
    for (let attempt = 1; !reply.ok && attempt < ATTEMPTS; attempt++) {
      await clock.sleep(1_000 * attempt);
      reply = await once(client, tool);
    }
    return reply;
  };
}

async function once(client: Client, tool: string): Promise<Reply> {
  try {
    const result = await client.callTool({ name: tool, arguments: { order: 7 } });
    const [block] = result.content;
    return { ok: result.isError !== true, text: block?.type === "text" ? block.text : "" };
  } catch (error) {
    return { ok: false, text: String(error) };
  }
}
