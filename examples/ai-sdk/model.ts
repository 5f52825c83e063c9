// A model that is a script: it calls tools, one turn after the other, then answers, and keeps what it was given.
import { MockLanguageModelV4 } from "ai/test";

export interface ToolCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export class ScriptedModel extends MockLanguageModelV4 {
  constructor(turns: readonly (readonly ToolCall[])[]) {
    let turn = 0;
    super({
      doGenerate: async () => {
        const calls = turns[turn++] ?? [];
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
          finishReason: { unified: calls.length === 0 ? "stop" : "tool-calls", raw: undefined },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
          warnings: [],
        };
      },
    });
  }

  /** What the model was told about its calls. */
  get told(): unknown[] {
    const messages = this.doGenerateCalls.at(-1)?.prompt ?? [];
    return messages.flatMap((message) =>
      message.role === "tool" ? message.content.map((part) => (part.type === "tool-result" ? part.output : part)) : [],
    );
  }
}
