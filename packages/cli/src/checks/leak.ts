import type { RecordedExchange } from "../recording/recording.ts";
import {
  type CheckResult,
  type EraView,
  EXPRESS_EDGE_FIX,
  failCheck,
  GUARD_FIX,
  judgeEach,
  type ProbeCheck,
  quoteText,
  visibleText,
} from "./check.ts";
import { answerResult, isRefused, isSuccess, select, sentPhrase, subject } from "./exchanges.ts";
import { collectStrings, isListedText, type JudgedFailure, judgedFailures, NO_FAILURE } from "./failures.ts";
import {
  CREDENTIAL_LEAKS,
  firstRuleMatch,
  NETWORK_LEAKS,
  PATH_LEAKS,
  RUNTIME_LEAKS,
  SQL_LEAKS,
  STACK_LEAKS,
  type TextRule,
} from "./leak-rules.ts";

/** Fails for each failure that shows what one of the rules looks for. */
function findsNone(rules: readonly TextRule[], say: (failure: JudgedFailure, found: string) => string) {
  return (view: EraView): CheckResult =>
    judgeEach(judgedFailures(view), {
      nothing: NO_FAILURE,
      wrong: (failure) => {
        const found = firstRuleMatch(rules, failure.rest, { counts: (word) => !isListedText(word, view) });
        return found === undefined ? undefined : say(failure, found);
      },
    });
}

/** Whether a failure has the words of a runtime or of a driver in it. */
export function hasRuntimeText(text: string): boolean {
  return firstRuleMatch(RUNTIME_LEAKS, text) !== undefined;
}

function showsCanary(exchange: RecordedExchange, canary: string): boolean {
  if (canary === "") return false;
  return collectStrings(answerResult(exchange.answer)).some((text) => text.includes(canary));
}

export const LEAK_CHECKS: readonly ProbeCheck[] = [
  {
    id: "leak-stack",
    category: "leak",
    severity: "critical",
    title: "Failures do not show a stack trace.",
    failsWhen: "A JSON-RPC error, a failed tool call or an error page contains a stack frame, in any common language.",
    notCounted:
      "The words “stack trace” alone. With NODE_ENV=production, Express hides the trace but keeps the page, which `http-error-json` finds.",
    why: "A stack trace shows an attacker how your code is structured.",
    fix: {
      text: "`guard` writes the traces of thrown errors to your log only. `guardHandler` answers requests that fail before your code runs. In Express, the last line replaces the pages of its own error handler; NODE_ENV=production hides only the trace.",
      code: `${GUARD_FIX}\n\n${EXPRESS_EDGE_FIX}`,
    },
    source: "yours",
    run: findsNone(
      STACK_LEAKS,
      ({ exchange }, found) => `The answer to ${sentPhrase(exchange)} shows a stack trace: ${quoteText(found)}.`,
    ),
  },
  {
    id: "leak-credential",
    category: "leak",
    severity: "critical",
    title: "Answers do not show credentials.",
    failsWhen:
      "A failure contains a URL with a password, a key, a token, or a secret next to its name. Or a secret that you passed to the server with `-e`, `--header`, its URL or its command line appears in any answer, on stdout or on stderr.",
    notCounted:
      "Values that the probe sent, answers to made-up credentials, and placeholders such as `<mongodb uri>` or `user:password@host`.",
    why: "A password in a model's context ends up in logs.",
    fix: {
      text: "`guard` hides the texts of errors that libraries make, and cuts credentials out of what your code throws or returns.",
      code: GUARD_FIX,
    },
    source: "yours",
    run: (view) => {
      const { exchanges, secretIn: [stream] = [] } = view.era;
      const [first, ...more] = exchanges.filter(({ secretShown }) => secretShown === true);
      if (first !== undefined)
        return failCheck(`The answer to ${sentPhrase(first)} holds a secret that the server was given.`, [
          first,
          ...more,
        ]);
      if (stream !== undefined && exchanges[0] !== undefined)
        return failCheck(`The server prints a secret that it was given on ${stream}.`, [exchanges[0]]);
      return judgeEach(
        judgedFailures(view).filter(({ exchange }) => exchange.stimulus !== "credentials"),
        {
          nothing: NO_FAILURE,
          wrong: ({ exchange, rest }) => {
            const counts = (word: string) => !isListedText(word, view);
            const found = CREDENTIAL_LEAKS.find((rule) => firstRuleMatch([rule], rest, { counts }) !== undefined);
            return found && `The answer to ${sentPhrase(exchange)} holds ${found.what}.`;
          },
        },
      );
    },
  },
  {
    id: "leak-environment",
    category: "leak",
    severity: "critical",
    severityOn: { stdio: "high" },
    title: "Answers do not show the server's environment.",
    failsWhen: "A failure or a result contains the value that the probe put into the server's environment.",
    notCounted: "No exceptions: a tool that shows variables on purpose is a finding too.",
    why: "Every caller can read all the keys that the server was started with.",
    fix: {
      text: "Return the values that a caller needs by name, never the whole environment. If a tool shows variables on purpose, do not publish it.",
    },
    source: "yours",
    run: (view) => {
      const { canary } = view.recording.target.planted;
      const looked = view.era.exchanges.filter(({ answer }) => isRefused(answer) || isSuccess(answer));
      const failures = new Map(judgedFailures(view).map((one) => [one.exchange, one.everything]));
      return judgeEach(looked, {
        nothing: "Nothing was answered during the probe.",
        wrong: (exchange) => {
          const shown = canary !== "" && failures.get(exchange)?.includes(canary) === true;
          if (shown) return `The answer to ${sentPhrase(exchange)} shows a variable of the server's environment.`;
          return showsCanary(exchange, canary)
            ? `${subject(exchange)} returns variables of the server's environment.`
            : undefined;
        },
      });
    },
  },
  {
    id: "leak-path",
    category: "leak",
    severity: "high",
    severityOn: { stdio: "low" },
    title: "Failures do not show paths on the server's machine.",
    failsWhen: "A failure contains an absolute path, a path in `node_modules`, or a `file:///` URL.",
    notCounted:
      "Paths that you sent, paths on the server's command line, paths that the server lists itself, and paths such as `/dev/null`.",
    why: "Paths reveal the layout of the machine and the names of its users.",
    fix: {
      text: "`guard` writes the texts of system errors to your log only, and cuts paths out of what your code throws or returns. In answers, use the file names that the caller knows.",
      code: GUARD_FIX,
    },
    source: "yours",
    preview: true,
    follows: ["leak-stack"],
    run: findsNone(
      PATH_LEAKS,
      ({ exchange }, found) => `The answer to ${sentPhrase(exchange)} shows the path ${quoteText(found)}.`,
    ),
  },
  {
    id: "leak-network",
    category: "leak",
    severity: "high",
    severityOn: { stdio: "medium" },
    title: "Failures do not show addresses inside your network.",
    failsWhen:
      "A failure contains a private address with a port, `localhost` with a port, or a name under .internal, .svc, .local, .lan, .corp or .intranet.",
    notCounted: "The probed address itself, addresses that the server lists, and names of public services.",
    why: "Internal addresses show an attacker how your network is structured.",
    fix: {
      text: "`guard` writes the texts of network errors to your log and tells the caller only that a service is unavailable.",
      code: GUARD_FIX,
    },
    source: "yours",
    preview: true,
    follows: ["leak-credential"],
    run: findsNone(
      NETWORK_LEAKS,
      ({ exchange }, found) => `The answer to ${sentPhrase(exchange)} shows the internal address ${quoteText(found)}.`,
    ),
  },
  {
    id: "leak-sql",
    category: "leak",
    severity: "high",
    title: "Failures do not show SQL statements.",
    failsWhen:
      "A failure contains a whole statement: SELECT … FROM, INSERT INTO, UPDATE … SET, DELETE FROM, or a change to a table.",
    notCounted: "Queries that the probe sent, examples in the tool's description, and clauses in a help text.",
    why: "A statement shows the tables and columns of your database.",
    fix: {
      text: "`guard` writes the texts of database errors to your log only, and cuts statements out of what your code throws or returns.",
      code: GUARD_FIX,
    },
    source: "yours",
    run: findsNone(
      SQL_LEAKS,
      ({ exchange }, found) => `The answer to ${sentPhrase(exchange)} shows an SQL statement: ${quoteText(found)}.`,
    ),
  },
  {
    id: "leak-runtime-text",
    category: "leak",
    severity: "medium",
    title: "Failures are described in your words, not in those of a runtime or driver.",
    failsWhen:
      "A failure contains the words of a runtime, the network or a driver, such as `Cannot read properties of`, `ECONNREFUSED`, `fetch failed` or `syntax error at or near`.",
    notCounted: "Sentences by the author that only sound similar, such as “The message is not valid JSON.”",
    why: "A model cannot act on the words of a runtime, and they change with every version.",
    fix: {
      text: "`guard` hides the text of every error that a library, the system or the engine makes. For problems that callers can fix, throw sentences of your own, and do not return `error.message`.",
      code: GUARD_FIX,
    },
    source: "yours",
    follows: [
      "leak-stack",
      "leak-credential",
      "leak-environment",
      "leak-path",
      "leak-network",
      "leak-sql",
      "leak-echo-secret",
    ],
    run: findsNone(
      RUNTIME_LEAKS,
      ({ exchange }, found) =>
        `The answer to ${sentPhrase(exchange)} has the words of a runtime in it: ${quoteText(found)}.`,
    ),
  },
  {
    id: "leak-echo-secret",
    category: "leak",
    severity: "medium",
    title: "A refusal does not repeat a secret that was sent.",
    failsWhen: "The probe sends a text that looks like a secret instead of a number, and the refusal repeats it.",
    notCounted: "Tool names that look like a secret.",
    why: "The refusal carries the user's secret into logs and into the model's context.",
    fix: {
      text: "`guard` names the wrong argument and what it must be, never the value that was sent.",
      code: GUARD_FIX,
    },
    source: "yours",
    run: (view) =>
      judgeEach(
        select(view, "wrong-arguments", "bait").filter(({ answer }) => isRefused(answer)),
        {
          nothing: "No tool that may be called takes a number.",
          wrong: (exchange) => {
            const { bait } = view.recording.target.planted;
            const failure = judgedFailures(view).find((one) => one.exchange === exchange);
            if (bait === "" || failure?.everything.includes(bait) !== true) return undefined;
            return `${visibleText(exchange.tool ?? "A tool", 60)} repeats the value that it refused, though it looks like a secret.`;
          },
        },
      ),
  },
];
