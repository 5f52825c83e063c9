import { failureSign } from "@recourse/core/proxy";
import { arrayAt, objectAt, reservesCodes, stringAt } from "@recourse/core/wire";
import type { RecordedExchange } from "../recording/recording.ts";
import { type EraView, GUARD_FIX, judgeEach, type ProbeCheck, quoteText } from "./check.ts";
import { answerCode, answerError, answerResult, isDenied, modelText, select } from "./exchanges.ts";

const INVALID_PARAMS_CODE = -32_602;
const RESOURCE_NOT_FOUND_CODE = -32_002;

/** The exchanges to judge: answered, and about a capability that the server declares. */
function declaredExchanges(
  view: EraView,
  capability: string,
  exchanges: readonly RecordedExchange[],
): readonly RecordedExchange[] {
  if (view.era.capabilities[capability] === undefined) return [];
  return exchanges.filter(({ answer }) => answer.kind === "message" && !isDenied(answer));
}

const resourceNotFoundCode: ProbeCheck = {
  id: "resource-not-found-code",
  category: "resources",
  severity: "medium",
  source: "yours",
  follows: ["code-reserved"],
  title: "An unknown resource gets the error code that the protocol defines for it.",
  failsWhen:
    "Reading an unknown resource fails with a code other than -32602. Up to 2025-11-25, -32002 is also correct.",
  notCounted: "Servers without the capability `resources`. Templates that accept any name.",
  why: "A host that gets -32603 blames the server and retries, although only the URI was wrong.",
  fix: {
    text: "`guard` answers unknown URIs with the correct code. In your own read handlers, throw a `not_found` fault.",
    code: `import { fail } from "@recourse/faults";\n\nthrow fail.not_found\`There is no order \${id}.\`;`,
  },
  run(view) {
    const codes = reservesCodes(view.era.revision)
      ? [INVALID_PARAMS_CODE]
      : [INVALID_PARAMS_CODE, RESOURCE_NOT_FOUND_CODE];
    const looked = declaredExchanges(view, "resources", select(view, "unknown-resource")).filter(({ answer }) =>
      answerError(answer),
    );
    return judgeEach(looked, {
      nothing: "No unknown resource was refused.",
      wrong: ({ answer }) => wrongCode("Reading an unknown resource", answerCode(answer), codes),
    });
  },
};

function wrongCode(what: string, code: number | undefined, codes: readonly number[]): string | undefined {
  if (code !== undefined && codes.includes(code)) return undefined;
  return `${what} fails with ${code ?? "a code that is no number"} instead of ${codes.join(" or ")}.`;
}

const resourceFailureChannel: ProbeCheck = {
  id: "resource-failure-channel",
  category: "resources",
  severity: "medium",
  source: "yours",
  title: "A resource that cannot be read is an error, not a document.",
  failsWhen: "Reading an unknown resource gets a result that is empty, has `isError`, or contains an error message.",
  notCounted: "Templates that accept any name and answer with a document.",
  why: "If the failure is sent as a result, the host shows the error message as if it were the document.",
  fix: {
    text: "Throw an error in the read handler. `guard` turns it into a JSON-RPC error.",
    code: `import { fail } from "@recourse/faults";\n\nif (order === undefined) throw fail.not_found\`There is no order \${id}.\`;`,
  },
  run: (view) =>
    judgeEach(declaredExchanges(view, "resources", select(view, "unknown-resource")), {
      nothing: "No unknown resource was read.",
      wrong: ({ variant, answer }) => {
        const result = answerResult(answer);
        if (result === undefined) return undefined;
        if (result["isError"] === true) return "Reading an unknown resource gets a result with isError.";
        const texts = arrayAt(result, "contents").map((part) => stringAt(part, "text") ?? "");
        const failed = texts.find(readsAsFailure);
        if (failed !== undefined)
          return `Reading an unknown resource gets a document that is an error: ${quoteText(failed)}.`;
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

const promptNotFoundCode: ProbeCheck = {
  id: "prompt-not-found-code",
  category: "resources",
  severity: "medium",
  source: "yours",
  title: "An unknown prompt gets the error -32602.",
  failsWhen: "A request for an unknown prompt gets a result, or a code other than -32602.",
  notCounted: "Servers without the capability `prompts`.",
  why: "Any other code tells the host that the server is broken or has no prompts at all.",
  fix: { text: "`guard` answers requests for unknown prompts with the correct code.", code: GUARD_FIX },
  run: (view) =>
    judgeEach(declaredExchanges(view, "prompts", select(view, "unknown-prompt")), {
      nothing: "No unknown prompt was asked for.",
      wrong: ({ answer }) =>
        answerError(answer) === undefined
          ? "A request for an unknown prompt gets a result."
          : wrongCode("A request for an unknown prompt", answerCode(answer), [INVALID_PARAMS_CODE]),
    }),
};

const promptArgumentCode: ProbeCheck = {
  id: "prompt-argument-code",
  category: "resources",
  severity: "low",
  source: "yours",
  follows: ["code-process"],
  title: "A prompt without a required argument gets an error that names the argument.",
  failsWhen: "The answer has a code other than -32602, or does not name the missing argument.",
  notCounted:
    "Runs without `--allow-prompts`: some servers run commands to render a prompt, so the probe does not request one.",
  why: "If the error does not name the argument, the person who fills in the prompt has to guess which field is missing.",
  fix: {
    text: "Declare the prompt's arguments: `guard` refuses requests without a required one and names it.",
    code: GUARD_FIX,
  },
  run: (view) =>
    judgeEach(declaredExchanges(view, "prompts", select(view, "prompt-argument")), {
      nothing: "No known prompt was rendered: that takes --allow-prompts.",
      wrong(exchange) {
        const { answer } = exchange;
        if (answerError(answer) === undefined) return "A prompt without its required argument gets a result.";
        const named = wrongCode("A prompt without its required argument", answerCode(answer), [INVALID_PARAMS_CODE]);
        if (named !== undefined) return named;
        const names = missingPromptArguments(exchange, view);
        const isNamed = names.length === 0 || names.some((name) => modelText(answer).includes(name));
        return isNamed
          ? undefined
          : `The refusal of a prompt does not name its missing argument: ${quoteText(modelText(answer))}.`;
      },
    }),
};

function missingPromptArguments({ sent }: RecordedExchange, { era }: EraView): readonly string[] {
  const name = stringAt(objectAt(sent.message, "params"), "name");
  const prompt = era.prompts.find((one) => stringAt(one, "name") === name);
  return arrayAt(prompt, "arguments").flatMap((argument) => {
    const isRequired = objectAt({ argument }, "argument")?.["required"] === true;
    return isRequired ? (stringAt(argument, "name") ?? []) : [];
  });
}

const completionRefCode: ProbeCheck = {
  id: "completion-ref-code",
  category: "resources",
  severity: "low",
  source: "yours",
  title: "A completion for an unknown prompt gets the error -32602.",
  failsWhen: "The request fails with another code.",
  notCounted: "Servers without the capability `completions`. An empty list of values, which is harmless.",
  why: "Any other code makes hosts switch completions off for the whole server.",
  fix: { text: "`guard` answers such requests with the correct code.", code: GUARD_FIX },
  run: (view) =>
    judgeEach(declaredExchanges(view, "completions", select(view, "unknown-completion")), {
      nothing: "The server has no completions.",
      wrong: ({ answer }) =>
        answerError(answer) === undefined
          ? undefined
          : wrongCode("A completion for an unknown prompt", answerCode(answer), [INVALID_PARAMS_CODE]),
    }),
};

/** Resources, prompts and completions that do not exist. */
export const RESOURCE_CHECKS: readonly ProbeCheck[] = [
  resourceNotFoundCode,
  resourceFailureChannel,
  promptNotFoundCode,
  promptArgumentCode,
  completionRefCode,
];
