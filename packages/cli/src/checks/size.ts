import { objectAt, stringAt } from "@recourse/core/wire";
import type { RecordedExchange } from "../recording/recording.ts";
import { EXPRESS_EDGE_FIX, GUARD_FIX, judgeEach, type ProbeCheck, STDIN_OR_EDGE_FIX } from "./check.ts";
import { answerError, answerStatus, isDenied, select, subject } from "./exchanges.ts";
import { allFailures, failureIn, withoutOwn } from "./failures.ts";

/** A name of 4,000 letters may come back so far. */
const MAX_ECHO = 2_000;
/** A failure may have so many characters. */
const MAX_FAILURE = 4_000;

const echoBounded: ProbeCheck = {
  id: "echo-bounded",
  category: "size",
  severity: "low",
  source: "sdk",
  title: "A refusal does not repeat a long text from the caller.",
  failsWhen:
    "A call to a tool with a name of 4,000 letters gets a refusal of more than 2,000 characters that contains the name.",
  notCounted: "A long list of the tools that exist.",
  why: "The model pays for the tokens of its own mistake twice.",
  fix: { text: "`guard` shortens names in its refusals.", code: GUARD_FIX },
  run: (view) =>
    judgeEach(
      select(view, "long-tool-name").flatMap((exchange) => failureIn(exchange) ?? []),
      {
        nothing: "No call of a tool with a long name was refused.",
        wrong: ({ everything, exchange }) =>
          everything.length > MAX_ECHO && everything.includes(endOfName(exchange))
            ? `A tool name of 4,000 letters gets a refusal of ${formatCount(everything.length)} characters.`
            : undefined,
      },
    ),
};

/** The letters of a long name are all alike, so a name that was cut has its end too. */
function endOfName(exchange: RecordedExchange): string {
  return sentName(exchange).slice(-MAX_ECHO / 2);
}

const formatCount = (characters: number): string => characters.toLocaleString("en");

const echoControl: ProbeCheck = {
  id: "echo-control",
  category: "size",
  severity: "low",
  source: "sdk",
  title: "A refusal does not repeat control characters from the caller.",
  failsWhen: "The refusal repeats an escape character, a text-direction mark or a line break in a tool name unchanged.",
  notCounted: "Line breaks that the server writes itself.",
  why: "Control characters can rewrite terminals and logs, and make a name look like a separate instruction.",
  fix: { text: "`guard` removes them from names in its refusals.", code: GUARD_FIX },
  run: (view) =>
    judgeEach(
      select(view, "hostile-tool-name").flatMap((exchange) => failureIn(exchange) ?? []),
      {
        nothing: "No call of a tool with a hostile name was refused.",
        wrong({ exchange, everything }) {
          const found = HOSTILE_CHARACTERS.find(({ isIn }) => isIn(everything, sentName(exchange)));
          return found && `The refusal of an unknown tool repeats ${found.what} of its name.`;
        },
      },
    ),
};

const sentName = ({ sent }: RecordedExchange): string => stringAt(objectAt(sent.message, "params"), "name") ?? "";

const HOSTILE_CHARACTERS = [
  { what: "the escape character", isIn: (text: string) => text.includes("\u001b") },
  { what: "the mark of text direction", isIn: (text: string) => /[\u202a-\u202e\u2066-\u2069]/.test(text) },
  {
    what: "the line break",
    // The letters around it tell the break of the name from breaks that the server writes.
    isIn: (text: string, name: string) => around(name).some((part) => text.includes(part)),
  },
] as const;

function around(name: string): readonly string[] {
  return [...name.matchAll(/[^\n]{1,4}\n[^\n]{1,4}/g)].map(([part]) => part);
}

const errorSize: ProbeCheck = {
  id: "error-size",
  category: "size",
  severity: "medium",
  source: "yours",
  title: "A failure is short.",
  failsWhen: "The text of a failure has more than 4,000 characters, not counting what the probe sent.",
  notCounted: "Names that the refusal repeats: `echo-bounded` finds those.",
  why: "One failure floods the model's context and displaces what it was working on.",
  fix: { text: "Send a sentence and write the rest to your log. `guard` shortens long texts.", code: GUARD_FIX },
  run: (view) =>
    judgeEach(
      allFailures(view).filter(({ exchange }) => exchange.stimulus !== "long-tool-name"),
      {
        nothing: "Nothing failed.",
        wrong({ exchange, text }) {
          const { length } = text.length > MAX_FAILURE ? withoutOwn(text, view, exchange) : text;
          return length > MAX_FAILURE
            ? `${subject(exchange)} gets a failure of ${formatCount(length)} characters.`
            : undefined;
        },
      },
    ),
};

const bodyLimit: ProbeCheck = {
  id: "body-limit",
  category: "size",
  severity: "medium",
  source: "yours",
  transport: "http",
  follows: ["leak-stack"],
  title: "A body that is too long is refused with a JSON-RPC error.",
  failsWhen: "A body of 6 MB gets 5xx, or a refusal without a JSON-RPC error.",
  notCounted: "Servers that accept the body. Connections that close while it is being sent.",
  why: "Clients cannot distinguish a page or a 500 from an outage, so they send the same body again.",
  fix: {
    text: "`guardHandler` refuses the body with 413 and a JSON-RPC error. If a body parser runs first, such as that of Express, add `edgeErrorHandler` too.",
    code: EXPRESS_EDGE_FIX,
  },
  run(view) {
    const looked = select(view, "long-message").filter(
      ({ variant, answer }) => variant !== "next" && answerStatus(answer) !== undefined && !isDenied(answer),
    );
    return judgeEach(looked, {
      nothing: "No long body was answered.",
      wrong({ answer }) {
        const status = answerStatus(answer) ?? 200;
        if (status >= 500) return `A body of 6 MB gets ${status}.`;
        return status >= 400 && answerError(answer) === undefined
          ? `A body of 6 MB gets ${status} without a JSON-RPC error.`
          : undefined;
      },
    });
  },
};

const utf8Refused: ProbeCheck = {
  id: "utf8-refused",
  category: "size",
  severity: "low",
  source: "sdk",
  title: "Bytes that are not UTF-8 are refused.",
  failsWhen: "The server accepts a message with an invalid byte sequence and returns U+FFFD in its place.",
  notCounted: "Answers that do not repeat the text, because they show nothing.",
  why: "If the bytes are replaced instead, the name of a file or a person changes silently.",
  fix: {
    text: "`guardStdin` and `guardHandler` refuse such messages. On Node.js, use `toNodeListener` to pass the raw bytes: an adapter that reads the body first has already replaced them.",
    code: STDIN_OR_EDGE_FIX,
  },
  run: (view) =>
    judgeEach(
      select(view, "malformed-message", "utf8").filter(
        ({ answer }) => answer.kind === "message" || answer.kind === "body",
      ),
      {
        nothing: "No broken UTF-8 was answered.",
        wrong: ({ answer }) =>
          "text" in answer && /\ufffd|\\ufffd/i.test(answer.text)
            ? "A broken character is accepted, and comes back as U+FFFD."
            : undefined,
      },
    ),
};

/** How long answers are, and which characters are in them. */
export const SIZE_CHECKS: readonly ProbeCheck[] = [echoBounded, echoControl, errorSize, bodyLimit, utf8Refused];
