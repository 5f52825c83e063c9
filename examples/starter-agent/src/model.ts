// What the agent needs of a model: one function.
import type { ListedTool } from "@recourse/faults/client";

/** One turn of the conversation. */
export type Message =
  | { readonly from: "user" | "model"; readonly text: string }
  | { readonly from: "model"; readonly call: ToolCall }
  | { readonly from: "tool"; readonly id: string; readonly text: string };

/** A call that the model wants to make. The id connects it with its answer. */
export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What the model does next: it calls a tool, or it answers the user. */
export type Move = { readonly call: ToolCall } | { readonly answer: string };

/**
 * Decides what to do next. To use a real model, write this function: translate `messages` and `tools` to its API, and its
 * reply to a `Move`.
 */
export type Model = (messages: readonly Message[], tools: readonly ListedTool[]) => Promise<Move>;
