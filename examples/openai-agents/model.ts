// A model that is a script: it calls tools, one turn after the other, then answers, and keeps what it was given.
import { type Model, type ModelRequest, type ModelResponse, Usage } from "@openai/agents";

export interface ToolCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export class ScriptedModel implements Model {
  /** What the model was told about its calls. */
  told: unknown[] = [];
  readonly #turns: readonly (readonly ToolCall[])[];
  #turn = 0;

  constructor(turns: readonly (readonly ToolCall[])[]) {
    this.#turns = turns;
  }

  async getResponse({ input }: ModelRequest): Promise<ModelResponse> {
    const items = typeof input === "string" ? [] : input;
    this.told = items.flatMap((item) => (item.type === "function_call_result" ? [item.output] : []));
    const turn = this.#turn++;
    const calls = this.#turns[turn] ?? [];
    const output: ModelResponse["output"] = calls.map(({ name, args }, index) => ({
      type: "function_call",
      callId: `call_${turn}_${index}`,
      name,
      arguments: JSON.stringify(args),
      status: "completed",
    }));
    if (calls.length === 0) {
      const content = [{ type: "output_text" as const, text: "Done." }];
      output.push({ type: "message", role: "assistant", status: "completed", content });
    }
    return { usage: new Usage(), output };
  }

  // biome-ignore lint/correctness/useYield: the script does not stream.
  async *getStreamedResponse(): AsyncGenerator<never> {
    throw new Error("not part of the script");
  }
}
