// The resources of the server.

import { prompt as promptReasons, resource as resourceReasons } from "@recourse/core/reasons";
import { objectAt, stringAt } from "@recourse/core/wire";
import { type MethodHandler, missingParameter, paginate } from "./state.ts";

const PEER_RESOURCES: Readonly<Record<string, { readonly name: string; readonly text: string }>> = {
  "mcp://config": { name: "config", text: "colour = blue" },
  "mcp://manual": { name: "manual", text: "Read me." },
};

const listResources: MethodHandler = (context) =>
  paginate(
    context,
    "resources",
    Object.entries(PEER_RESOURCES).map(([uri, { name }]) => ({ uri, name })),
  );

const readResource: MethodHandler = ({ request }) => {
  const uri = stringAt(request.params, "uri");
  if (uri === undefined) throw missingParameter("uri");
  const resource = Object.hasOwn(PEER_RESOURCES, uri) ? PEER_RESOURCES[uri] : undefined;
  if (resource === undefined) throw resourceReasons.not_found({ uri });
  return { contents: [{ uri, mimeType: "text/plain", text: resource.text }] };
};

export const RESOURCE_METHODS = {
  "resources/list": listResources,
  "resources/read": readResource,
} as const satisfies Record<string, MethodHandler>;

// The prompts of the server.

/** A prompt: its arguments, and the template of its text. */
interface Prompt {
  readonly arguments: readonly string[];
  readonly text: string;
}

const PROMPTS: Readonly<Record<string, Prompt>> = {
  write_essay: { arguments: ["topic"], text: "Write about {topic}." },
};

function promptAt(name: string): Prompt | undefined {
  return Object.hasOwn(PROMPTS, name) ? PROMPTS[name] : undefined;
}

const listPrompts: MethodHandler = (context) =>
  paginate(
    context,
    "prompts",
    Object.entries(PROMPTS).map(([name, prompt]) => ({
      name,
      arguments: prompt.arguments.map((argument) => ({ name: argument, required: true })),
    })),
  );

const getPrompt: MethodHandler = ({ request }) => {
  const name = stringAt(request.params, "name") ?? "";
  const prompt = promptAt(name);
  if (prompt === undefined) throw promptReasons.not_found({ prompt: name });
  const values = objectAt(request.params, "arguments") ?? {};
  for (const argument of prompt.arguments)
    if (stringAt(values, argument) === undefined) throw promptReasons.argument_missing({ prompt: name, argument });
  const text = prompt.text.replaceAll(/\{(\w+)\}/g, (_, slot: string) => stringAt(values, slot) ?? "");
  return { messages: [{ role: "user", content: { type: "text", text } }] };
};

export const PROMPT_METHODS = {
  "prompts/list": listPrompts,
  "prompts/get": getPrompt,
} as const satisfies Record<string, MethodHandler>;
