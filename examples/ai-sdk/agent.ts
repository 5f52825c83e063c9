// Tools of an MCP server for the Vercel AI SDK.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { aiTools, observeTransport, recourse } from "@recourse/faults/client";
import { generateText, isStepCount, jsonSchema, type LanguageModel } from "ai";

export interface Task {
  readonly url: string;
  readonly model: LanguageModel;
  readonly prompt: string;
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
}

/** Does a task with the tools of a server. */
export async function runAgent({ url, model, prompt, signal, deadlineMs = 60_000 }: Task): Promise<string> {
  const transport = observeTransport();
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: transport.fetch }));
  try {
    const tools = await aiTools(recourse(client, { transport, deadlineMs }), { jsonSchema });
    const abort = signal === undefined ? {} : { abortSignal: signal };
    // `maxRetries` of the AI SDK is for calls of the model; calls of tools are never made again by it.
    const { text } = await generateText({ model, tools, prompt, stopWhen: isStepCount(10), ...abort });
    return text;
  } finally {
    await client.close();
  }
}
