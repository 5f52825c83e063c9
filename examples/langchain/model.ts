// A model that is a script: it calls tools, one turn after the other, then answers, and keeps what it was given.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";

export interface ToolCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export class ScriptedModel extends BaseChatModel {
  /** What the model was told about its calls. */
  told: ToolMessage[] = [];
  readonly #turns: readonly (readonly ToolCall[])[];
  #turn = 0;

  constructor(turns: readonly (readonly ToolCall[])[]) {
    super({});
    this.#turns = turns;
  }

  _llmType() {
    return "script";
  }

  override bindTools() {
    return this;
  }

  async _generate(messages: BaseMessage[]) {
    this.told = messages.filter((message) => ToolMessage.isInstance(message));
    const turn = this.#turn++;
    const calls = this.#turns[turn] ?? [];
    const message = new AIMessage({
      content: calls.length === 0 ? "Done." : "",
      tool_calls: calls.map((call, index) => ({ ...call, id: `call_${turn}_${index}`, type: "tool_call" as const })),
    });
    return { generations: [{ text: message.text, message }] };
  }
}
