// A model that is a script: it calls tools, one turn after the other, then answers, and keeps what it was given.

export interface ToolCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** A model as Mastra takes it from the AI SDK. */
export class ScriptedModel {
  readonly specificationVersion = "v2";
  readonly provider = "script";
  readonly modelId = "script";
  readonly supportedUrls = {};
  /** What the model was told about its calls. */
  told: unknown[] = [];
  readonly #turns: readonly (readonly ToolCall[])[];
  #turn = 0;

  constructor(turns: readonly (readonly ToolCall[])[]) {
    this.#turns = turns;
  }

  async doGenerate({ prompt }: { prompt: readonly { role: string; content: unknown }[] }) {
    const answers = prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content as unknown[]);
    this.told = answers.map((answer) => (answer as { output?: unknown }).output);
    const turn = this.#turn++;
    const calls = this.#turns[turn] ?? [];
    return {
      content:
        calls.length === 0
          ? [{ type: "text", text: "Done." }]
          : calls.map(({ name, args }, index) => ({
              type: "tool-call",
              toolCallId: `call_${turn}_${index}`,
              toolName: name,
              input: JSON.stringify(args),
            })),
      finishReason: calls.length === 0 ? "stop" : "tool-calls",
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      warnings: [],
    };
  }

  async doStream(): Promise<never> {
    throw new Error("not part of the script");
  }
}
