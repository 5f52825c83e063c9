import { arrayAt, failureSign, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Exchange } from "../recording/recording.ts";
import type { Check, CheckResult, EraView } from "./check.ts";
import { codeOf, errorOf, isDenied, modelText, of, resultOf } from "./exchanges.ts";
import { GUARD } from "./fixes.ts";
import { judge, quote, skipped } from "./results.ts";

const INVALID_PARAMS = -32_602;
const RESOURCE_NOT_FOUND = -32_002;

/** The exchanges to judge: answered, and about a capability that the server declares. */
function declared(view: EraView, capability: string, exchanges: readonly Exchange[]): readonly Exchange[] {
  if (view.era.capabilities[capability] === undefined) return [];
  return exchanges.filter(({ answer }) => answer.kind === "message" && !isDenied(answer));
}

const resourceNotFoundCode: Check = {
  id: "resource-not-found-code",
  category: "resources",
  severity: "medium",
  source: "yours",
  follows: ["code-reserved"],
  title: "An unknown resource gets the code for it.",
  failsWhen: "Reading an unknown resource fails with another code than -32602; up to 2025-11-25 also -32002 is right.",
  notCounted: "Servers without the capability `resources`. Templates that accept any name.",
  why: "A host that reads -32603 blames the server and repeats, though only the address was wrong.",
  fix: {
    text: "`guard` answers unknown addresses with the code of the protocol. In your own readers, throw a `not_found` fault.",
    code: `import { fail } from "@recourse/faults";\n\nthrow fail.not_found\`There is no order \${id}.\`;`,
  },
  run(view) {
    const codes = view.era.revision === "2026-07-28" ? [INVALID_PARAMS] : [INVALID_PARAMS, RESOURCE_NOT_FOUND];
    const looked = declared(view, "resources", of(view, "unknown-resource")).filter(({ answer }) => errorOf(answer));
    return judge(looked, {
      nothing: "No unknown resource was refused.",
      wrong: ({ answer }) => wrongCode("Reading an unknown resource", codeOf(answer), codes),
    });
  },
};

function wrongCode(what: string, code: number | undefined, codes: readonly number[]): string | undefined {
  if (code !== undefined && codes.includes(code)) return undefined;
  return `${what} fails with ${code ?? "a code that is no number"} instead of ${codes.join(" or ")}.`;
}

const resourceFailureChannel: Check = {
  id: "resource-failure-channel",
  category: "resources",
  severity: "medium",
  source: "yours",
  title: "A resource that cannot be read is an error, not a document.",
  failsWhen: "Reading an unknown resource gets a result that is empty, has `isError`, or holds the text of an error.",
  notCounted: "Templates that accept any name and answer with a document.",
  why: "The host shows the text of the error as if it was the document.",
  fix: {
    text: "Throw in the reader. `guard` makes an error of the protocol of it.",
    code: `${GUARD}\n\nif (order === undefined) throw fail.not_found\`There is no order \${id}.\`;`,
  },
  run: (view) =>
    judge(declared(view, "resources", of(view, "unknown-resource")), {
      nothing: "No unknown resource was read.",
      wrong: ({ variant, answer }) => {
        const result = resultOf(answer);
        if (result === undefined) return undefined;
        if (result["isError"] === true) return "Reading an unknown resource gets a result with isError.";
        const texts = arrayAt(result, "contents").map((part) => stringAt(part, "text") ?? "");
        const failed = texts.find(readsAsFailure);
        if (failed !== undefined)
          return `Reading an unknown resource gets a document that is an error: ${quote(failed)}.`;
        return texts.length === 0 && variant !== "template"
          ? "Reading an unknown resource gets an empty result."
          : undefined;
      },
    }),
};

const FAILURE_BEGINS = /^\s*(?:error|exception|failed|failure|fatal|traceback|(?:resource )?not found)\b/i;

function readsAsFailure(text: string): boolean {
  return FAILURE_BEGINS.test(text) || failureSign({ content: [{ type: "text", text }] }) !== undefined;
}

const promptNotFoundCode: Check = {
  id: "prompt-not-found-code",
  category: "resources",
  severity: "medium",
  source: "yours",
  title: "An unknown prompt gets the error -32602.",
  failsWhen: "A request for an unknown prompt gets a result, or another code than -32602.",
  notCounted: "Servers without the capability `prompts`.",
  why: "Any other code tells the host that the server is broken, or has no prompts at all.",
  fix: { text: "`guard` answers unknown prompts with the code of the protocol.", code: GUARD },
  run: (view) =>
    judge(declared(view, "prompts", of(view, "unknown-prompt")), {
      nothing: "No unknown prompt was asked for.",
      wrong: ({ answer }) =>
        errorOf(answer) === undefined
          ? "A request for an unknown prompt gets a result."
          : wrongCode("A request for an unknown prompt", codeOf(answer), [INVALID_PARAMS]),
    }),
};

const promptArgumentCode: Check = {
  id: "prompt-argument-code",
  category: "resources",
  severity: "low",
  source: "yours",
  follows: ["code-process"],
  title: "A prompt without a required argument gets an error that names the argument.",
  failsWhen: "The answer has another code than -32602, or names no missing argument.",
  notCounted: "Sent with `--allow-prompts` only, since some servers run commands to render a prompt.",
  why: "A person who fills in the prompt has to guess which field is missing.",
  fix: {
    text: "Declare the arguments of the prompt; `guard` refuses a prompt that lacks one, and names it.",
    code: GUARD,
  },
  run: (view) =>
    judge(declared(view, "prompts", of(view, "prompt-argument")), {
      nothing: "No known prompt was rendered: that takes --allow-prompts.",
      wrong(exchange) {
        const { answer } = exchange;
        if (errorOf(answer) === undefined) return "A prompt without its required argument gets a result.";
        const named = wrongCode("A prompt without its required argument", codeOf(answer), [INVALID_PARAMS]);
        if (named !== undefined) return named;
        const names = requiredArguments(exchange, view);
        const isNamed = names.length === 0 || names.some((name) => modelText(answer).includes(name));
        return isNamed
          ? undefined
          : `The refusal of a prompt does not name its missing argument: ${quote(modelText(answer))}.`;
      },
    }),
};

function requiredArguments({ sent }: Exchange, { era }: EraView): readonly string[] {
  const name = stringAt(objectAt(sent.message, "params"), "name");
  const prompt = era.prompts.find((one) => stringAt(one, "name") === name);
  return arrayAt(prompt, "arguments").flatMap((argument) => {
    const isRequired = objectAt({ argument }, "argument")?.["required"] === true;
    return isRequired ? (stringAt(argument, "name") ?? []) : [];
  });
}

const completionRefCode: Check = {
  id: "completion-ref-code",
  category: "resources",
  severity: "low",
  source: "yours",
  title: "A completion for an unknown prompt gets the error -32602.",
  failsWhen: "It fails with another code.",
  notCounted: "Servers without the capability `completions`. An empty list of values, which does no harm.",
  why: "Any other code makes hosts switch completions off for the whole server.",
  fix: { text: "`guard` answers it with the code of the protocol.", code: GUARD },
  run(view): CheckResult {
    const looked = declared(view, "completions", of(view, "unknown-completion"));
    if (looked.length === 0) return skipped("The server has no completions.");
    return judge(looked, {
      nothing: "The server has no completions.",
      wrong: ({ answer }) =>
        errorOf(answer) === undefined
          ? undefined
          : wrongCode("A completion for an unknown prompt", codeOf(answer), [INVALID_PARAMS]),
    });
  },
};

/** Resources, prompts and completions that do not exist. */
export const RESOURCES: readonly Check[] = [
  resourceNotFoundCode,
  resourceFailureChannel,
  promptNotFoundCode,
  promptArgumentCode,
  completionRefCode,
];
