import { arrayAt, stringAt } from "@recourse/faults/internal-do-not-use";
import { MISSING } from "../planted.ts";
import { changingWord } from "../safety/verbs.ts";
import type { Group } from "./group.ts";

/** Resources that do not exist: by a scheme of the server, by a foreign one, and by a filled template. */
export const unknownResource: Group = {
  stimulus: "unknown-resource",
  async run(talk, { capabilities, resources, resourceTemplates }) {
    if (capabilities["resources"] === undefined)
      return talk.leaveOut("unknown-resource", "The server has no resources.");
    const template = resourceTemplates
      .flatMap((one) => stringAt(one, "uriTemplate") ?? [])
      // Reading should change nothing, but `shop://orders/{id}/delete` may.
      .find((uri) => changingWord(uri) === undefined);
    const known = [
      ...resources.flatMap((one) => stringAt(one, "uri") ?? []),
      ...(template === undefined ? [] : [template]),
    ];
    const scheme = known.map((uri) => /^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0]).find((one) => one !== undefined);
    const uris: readonly (readonly [variant: string, uri: string])[] = [
      ["own-scheme", `${scheme ?? "recourse-probe:"}//${MISSING.text}/none`],
      ["foreign-scheme", `recourse-foreign://${MISSING.text}`],
      ...(template === undefined ? [] : [["template", filled(template)] as const]),
    ];
    for (const [variant, uri] of uris)
      await talk.request({ stimulus: "unknown-resource", variant }, "resources/read", { uri });
  },
};

/** A prompt that does not exist. Known prompts can run something, so they are never asked for here. */
export const unknownPrompt: Group = {
  stimulus: "unknown-prompt",
  async run(talk, { capabilities }) {
    if (capabilities["prompts"] === undefined) return talk.leaveOut("unknown-prompt", "The server has no prompts.");
    await talk.request({ stimulus: "unknown-prompt" }, "prompts/get", { name: MISSING.text });
  },
};

/** A known prompt without its argument. The user has to allow it. */
export const promptArgument: Group = {
  stimulus: "prompt-argument",
  async run(talk, { prompts, allowPrompts }) {
    if (!allowPrompts)
      return talk.leaveOut("prompt-argument", "Rendering a prompt can run something: allow it with --allow-prompts.");
    const prompt = prompts.find((one) => arrayAt(one, "arguments").some((argument) => isRequired(argument)));
    const name = stringAt(prompt, "name");
    if (name === undefined) return talk.leaveOut("prompt-argument", "No prompt requires an argument.");
    const wrong = arrayAt(prompt, "arguments")
      .filter(isRequired)
      .map((argument) => ({ field: stringAt(argument, "name") ?? "", rule: "missing" as const }));
    const timeoutMs = talk.conversation.waits.callMs;
    await talk.request(
      { stimulus: "prompt-argument", variant: name, wrong },
      "prompts/get",
      { name, arguments: {} },
      { timeoutMs },
    );
  },
};

/** A completion for a prompt that does not exist. */
export const unknownCompletion: Group = {
  stimulus: "unknown-completion",
  async run(talk, { capabilities }) {
    if (capabilities["completions"] === undefined)
      return talk.leaveOut("unknown-completion", "The server completes nothing.");
    await talk.request({ stimulus: "unknown-completion" }, "completion/complete", {
      ref: { type: "ref/prompt", name: MISSING.text },
      argument: { name: "text", value: "a" },
    });
  },
};

function isRequired(argument: unknown): boolean {
  return typeof argument === "object" && argument !== null && "required" in argument && argument.required === true;
}

/** A template with every variable filled by a name that exists nowhere. */
function filled(template: string): string {
  return template.replaceAll(/\{[^{}]{0,200}\}/g, MISSING.text).slice(0, 2_000);
}
