import type { Exchange } from "../recording/recording.ts";
import type { Check, CheckResult, EraView } from "./check.ts";
import { isRefusal, isSuccess, of, resultOf } from "./exchanges.ts";
import { type JudgedFailure, judgedFailures } from "./failures.ts";
import { EDGE_ON_EXPRESS, GUARD } from "./fixes.ts";
import { CREDENTIAL_RULES, NETWORK_RULES, PATH_RULES, RUNTIME_RULES, SQL_RULES, STACK_RULES } from "./leak-rules.ts";
import { isListed } from "./own-texts.ts";
import { judge, quote, visible } from "./results.ts";
import { stringsIn } from "./strings-in.ts";
import { firstMatch, type TextRule } from "./text-rules.ts";
import { startWith, whatWasSent } from "./what-was-sent.ts";

const NO_FAILURE = "Nothing failed during the probe.";

/** Fails for each failure that shows what one of the rules looks for. */
function findsNone(rules: readonly TextRule[], say: (failure: JudgedFailure, found: string) => string) {
  return (view: EraView): CheckResult =>
    judge(judgedFailures(view), {
      nothing: NO_FAILURE,
      wrong: (failure) => {
        const found = firstMatch(rules, failure.rest, { counts: (word) => !isListed(word, view) });
        return found === undefined ? undefined : say(failure, found);
      },
    });
}

/** Whether a failure has the words of a runtime or of a driver in it. */
export function hasRuntimeText(text: string): boolean {
  return firstMatch(RUNTIME_RULES, text) !== undefined;
}

function showsCanary(exchange: Exchange, canary: string): boolean {
  if (canary === "") return false;
  return stringsIn(resultOf(exchange.answer)).some((text) => text.includes(canary));
}

export const LEAK: readonly Check[] = [
  {
    id: "leak-stack",
    category: "leak",
    severity: "critical",
    title: "Failures do not show a stack trace.",
    failsWhen: "An error, a failed tool or an error page holds a frame of a stack trace, in any common language.",
    notCounted:
      "The words “stack trace” alone. With NODE_ENV=production Express hides the trace and keeps the page, which `http-error-json` finds.",
    why: "It hands an attacker the map of your code.",
    fix: {
      text: "Let the edge answer what fails before your code runs. In Express the last line replaces the pages of its own error handler; NODE_ENV=production hides the trace only.",
      code: EDGE_ON_EXPRESS,
    },
    source: "yours",
    run: findsNone(
      STACK_RULES,
      ({ exchange }, found) => `The answer to ${whatWasSent(exchange)} shows a stack trace: ${quote(found)}.`,
    ),
  },
  {
    id: "leak-credential",
    category: "leak",
    severity: "critical",
    title: "Failures do not show credentials.",
    failsWhen: "A failure holds a URL with a password, a key, a token, or a secret beside its name.",
    notCounted:
      "What the probe sent itself, answers to made-up credentials, and placeholders such as `<mongodb uri>` or `user:password@host`.",
    why: "A password in a model's context is a password in a log.",
    fix: {
      text: "`guard` keeps the texts of thrown errors in your log and gives the caller a sentence without them.",
      code: GUARD,
    },
    source: "yours",
    run: (view) =>
      judge(
        judgedFailures(view).filter(({ exchange }) => exchange.stimulus !== "credentials"),
        {
          nothing: NO_FAILURE,
          wrong: ({ exchange, rest }) => {
            const counts = (word: string) => !isListed(word, view);
            const found = CREDENTIAL_RULES.find((rule) => firstMatch([rule], rest, { counts }) !== undefined);
            return found && `The answer to ${whatWasSent(exchange)} holds ${found.what}.`;
          },
        },
      ),
  },
  {
    id: "leak-environment",
    category: "leak",
    severity: "critical",
    severityOn: { stdio: "high" },
    title: "Answers do not show the server's environment.",
    failsWhen: "The value that the probe planted in the server's environment comes back, in a failure or in a result.",
    notCounted: "Nothing: a tool that shows variables on purpose is a finding as well.",
    why: "Everybody who may call it is one call away from every key that the server was started with.",
    fix: {
      text: "Return the few values that a caller needs by name, never the whole environment. If a tool shows variables on purpose, take it out of what you publish.",
    },
    source: "yours",
    run: (view) => {
      const { canary } = view.recording.target.planted;
      const looked = view.era.exchanges.filter(({ answer }) => isRefusal(answer) || isSuccess(answer));
      const failures = new Map(judgedFailures(view).map((one) => [one.exchange, one.everything]));
      return judge(looked, {
        nothing: "Nothing was answered during the probe.",
        wrong: (exchange) => {
          const shown = canary !== "" && failures.get(exchange)?.includes(canary) === true;
          if (shown) return `The answer to ${whatWasSent(exchange)} shows a variable of the server's environment.`;
          return showsCanary(exchange, canary)
            ? `${startWith(exchange)} returns variables of the server's environment.`
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
    title: "Failures do not show paths of the server's machine.",
    failsWhen: "A failure holds an absolute path, a path in `node_modules`, or a `file:///` address.",
    notCounted:
      "Paths that you sent, paths on the server's command line, paths that the server lists itself, and `/dev/null` and its like.",
    why: "It tells the layout of the machine and the names of its users.",
    fix: {
      text: "`guard` keeps the texts of thrown errors in your log. Name files to callers by the names that they use.",
      code: GUARD,
    },
    source: "yours",
    preview: true,
    follows: ["leak-stack"],
    run: findsNone(
      PATH_RULES,
      ({ exchange }, found) => `The answer to ${whatWasSent(exchange)} shows the path ${quote(found)}.`,
    ),
  },
  {
    id: "leak-network",
    category: "leak",
    severity: "high",
    severityOn: { stdio: "medium" },
    title: "Failures do not show addresses inside your network.",
    failsWhen:
      "A failure holds a private address with a port, `localhost` with a port, or a name under .internal, .svc, .local, .lan, .corp or .intranet.",
    notCounted: "The probed address itself, addresses that the server lists, and names of public services.",
    why: "It maps the inside of your network.",
    fix: {
      text: "`guard` keeps the texts of network errors in your log and says only that a service is unavailable.",
      code: GUARD,
    },
    source: "yours",
    preview: true,
    follows: ["leak-credential"],
    run: findsNone(
      NETWORK_RULES,
      ({ exchange }, found) => `The answer to ${whatWasSent(exchange)} shows the internal address ${quote(found)}.`,
    ),
  },
  {
    id: "leak-sql",
    category: "leak",
    severity: "high",
    title: "Failures do not show SQL statements.",
    failsWhen:
      "A failure holds a whole statement: SELECT … FROM, INSERT INTO, UPDATE … SET, DELETE FROM, or a change of a table.",
    notCounted: "A query that the probe sent itself, examples in the tool's description, and clauses in a help text.",
    why: "It shows the tables and columns of your database.",
    fix: { text: "`guard` keeps the texts of database errors in your log.", code: GUARD },
    source: "yours",
    run: findsNone(
      SQL_RULES,
      ({ exchange }, found) => `The answer to ${whatWasSent(exchange)} shows an SQL statement: ${quote(found)}.`,
    ),
  },
  {
    id: "leak-runtime-text",
    category: "leak",
    severity: "medium",
    title: "Failures are said in your words, not in those of a runtime or driver.",
    failsWhen:
      "A failure holds words of a runtime, the network or a driver, such as `Cannot read properties of`, `ECONNREFUSED`, `fetch failed` or `syntax error at or near`.",
    notCounted: "Sentences of an author that merely sound alike, such as “The message is not valid JSON.”",
    why: "The text is about nothing that a model can act on, and changes with every version.",
    fix: {
      text: "`guard` replaces the text of every thrown error. Throw sentences of your own, with `fail`, for what callers can mend.",
      code: GUARD,
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
      RUNTIME_RULES,
      ({ exchange }, found) =>
        `The answer to ${whatWasSent(exchange)} has the words of a runtime in it: ${quote(found)}.`,
    ),
  },
  {
    id: "leak-echo-secret",
    category: "leak",
    severity: "medium",
    title: "A refusal does not repeat a secret that was sent.",
    failsWhen: "A text that looks like a secret is sent in place of a number, and the refusal repeats it.",
    notCounted: "The name of a tool that looks like a secret.",
    why: "The refusal carries the user's secret into logs and into the model's context.",
    fix: {
      text: "`guard` names the wrong argument and what it must be, and never the value that was sent.",
      code: GUARD,
    },
    source: "yours",
    run: (view) =>
      judge(
        of(view, "wrong-arguments", "bait").filter(({ answer }) => isRefusal(answer)),
        {
          nothing: "No tool that may be called takes a number.",
          wrong: (exchange) => {
            const { bait } = view.recording.target.planted;
            const failure = judgedFailures(view).find((one) => one.exchange === exchange);
            if (bait === "" || failure?.everything.includes(bait) !== true) return undefined;
            return `${visible(exchange.tool ?? "A tool", 60)} repeats the value that it refused, though it looks like a secret.`;
          },
        },
      ),
  },
];
