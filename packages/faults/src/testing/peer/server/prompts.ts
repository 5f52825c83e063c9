// The prompts of the server, and the completion of their arguments.
import { type JsonObject, objectAt, stringAt } from "../../../json/read.ts";
import {
  failed as completion_failed,
  not_found as completion_not_found,
  invalid_argument,
  invalid_reference,
} from "../../../reasons/library/completion.ts";
import { argument_missing, not_found, render_failed } from "../../../reasons/library/prompt.ts";
import { pageOf } from "./params.ts";
import type { MethodHandler } from "./state.ts";

/** A prompt: its arguments, each with the values to choose from, and the template of its text. */
interface Prompt {
  readonly arguments: Readonly<Record<string, () => readonly string[]>>;
  readonly text: string;
}

const PROMPTS: Readonly<Record<string, Prompt>> = {
  write_essay: { arguments: { topic: () => ["rain", "rivers", "roads"] }, text: "Write about {topic}." },
  // The template uses a value that is not an argument.
  broken: { arguments: {}, text: "Write about {nothing}." },
  // The source of the values has a bug.
  guess: { arguments: { number: () => (undefined as unknown as string[]).toSorted() }, text: "Guess {number}." },
};

function promptAt(name: string): Prompt | undefined {
  return Object.hasOwn(PROMPTS, name) ? PROMPTS[name] : undefined;
}

const listPrompts: MethodHandler = (context) =>
  pageOf(
    context,
    "prompts",
    Object.entries(PROMPTS).map(([name, prompt]) => ({
      name,
      arguments: Object.keys(prompt.arguments).map((argument) => ({ name: argument, required: true })),
    })),
  );

const getPrompt: MethodHandler = ({ request }) => {
  const name = stringAt(request.params, "name") ?? "";
  const prompt = promptAt(name);
  if (prompt === undefined) throw not_found({ prompt: name });
  const values = objectAt(request.params, "arguments") ?? {};
  for (const argument of Object.keys(prompt.arguments))
    if (stringAt(values, argument) === undefined) throw argument_missing({ prompt: name, argument });
  const text = prompt.text.replaceAll(/\{(\w+)\}/g, (_, slot: string) => {
    const value = stringAt(values, slot);
    if (value === undefined) throw render_failed();
    return value;
  });
  return { messages: [{ role: "user", content: { type: "text", text } }] };
};

const completeArgument: MethodHandler = ({ request }) => {
  const reference = objectAt(request.params, "ref");
  const name = stringAt(reference, "name");
  if (stringAt(reference, "type") !== "ref/prompt" || name === undefined) throw invalid_reference();
  const prompt = promptAt(name);
  if (prompt === undefined) throw completion_not_found();
  const argument = objectAt(request.params, "argument");
  const wanted = stringAt(argument, "name") ?? "";
  const source = Object.hasOwn(prompt.arguments, wanted) ? prompt.arguments[wanted] : undefined;
  if (source === undefined) throw invalid_argument();
  const start = stringAt(argument, "value") ?? "";
  return { completion: { values: valuesOf(source).filter((value) => value.startsWith(start)) } } satisfies JsonObject;
};

function valuesOf(source: () => readonly string[]): readonly string[] {
  try {
    return source();
  } catch {
    throw completion_failed();
  }
}

export const PROMPT_METHODS = {
  "prompts/list": listPrompts,
  "prompts/get": getPrompt,
  "completion/complete": completeArgument,
} as const satisfies Record<string, MethodHandler>;
