import { checkArguments, failureSign, memberAt, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Exchange } from "../recording/recording.ts";
import type { Check, EraView } from "./check.ts";
import { contentTexts, isDenied, isSuccess, of, resultOf } from "./exchanges.ts";
import { GUARD } from "./fixes.ts";
import { wrongFields } from "./refusal-text.ts";
import { fail, judge, pass, quote, skipped, visible } from "./results.ts";
import { schemaProblem } from "./schema-form.ts";
import { startWith } from "./what-was-sent.ts";

/** Descriptions that announce that other types are converted. */
const COERCES =
  /\bcoerc|\bstring or (?:number|integer|boolean)|\b(?:number|integer|boolean) or (?:a )?string|["'`]true["'`]|\bnumeric string/i;

/** Whether every conversion that may have happened is announced. */
function isDocumented(exchange: Exchange): boolean {
  const fields = wrongFields(exchange);
  const announced = fields.filter(({ schema }) => COERCES.test(stringAt(schema, "description") ?? ""));
  return fields.length > 0 && announced.length === fields.length;
}

/** How a text begins that reports a failure. "Errors: 0" and "Failed jobs" begin reports that are right. */
const FAILED =
  /^\W{0,10}(?:(?:error|exception|fatal|fatal error)(?::| (?:while |when )?(?:[a-z]{2,20}ing|occurred|in|at|from|calling)\b)|\w{1,40}(?:Error|Exception): |failed(?::| (?:to|with|because)\b)|traceback \()/i;

/** The output schema of a tool, if it has one. */
export function outputSchemaOf({ era }: EraView, tool: string | undefined) {
  return objectAt(
    era.tools.find((one) => one["name"] === tool && tool !== undefined),
    "outputSchema",
  );
}

function wrongOutput({ answer, tool }: Exchange, view: EraView): string | undefined {
  const schema = outputSchemaOf(view, tool);
  const data = memberAt(resultOf(answer), "structuredContent");
  if (schema === undefined) return undefined;
  const name = visible(tool ?? "", 60);
  if (data === undefined) return `${name} has an output schema and returns no structuredContent.`;
  const [issue] = checkArguments(data, schema);
  if (issue === undefined) return undefined;
  const place = issue.pointer === "" ? "its output" : visible(issue.pointer, 60);
  return `${name} returns structuredContent that does not match its output schema: ${place} breaks the rule ${issue.rule}.`;
}

/** What is wrong with the schemas of a tool. */
function wrongSchema(tool: EraView["era"]["tools"][number]): string | undefined {
  const name = visible(String(tool["name"] ?? "a tool"), 60);
  const input = tool["inputSchema"];
  if (objectAt(tool, "inputSchema")?.["type"] !== "object")
    return `The input schema of ${name} is not of the type object.`;
  for (const [what, schema] of [
    ["input", input],
    ["output", tool["outputSchema"]],
  ] as const) {
    const problem = schema === undefined ? undefined : schemaProblem(schema);
    if (problem !== undefined) return `The ${what} schema of ${name} cannot be read: ${visible(problem)}.`;
  }
  return undefined;
}

export const TRUTHFULNESS: readonly Check[] = [
  {
    id: "args-refused",
    category: "truthfulness",
    severity: "high",
    title: "Arguments that the schema forbids are refused.",
    failsWhen: "A call with arguments of the wrong type, or without a required one, gets a result without `isError`.",
    notCounted: 'Conversions that the description of the field announces, such as "true" for true.',
    why: "The schema does not say what the tool does, and what it does is real.",
    fix: { text: "`guard` checks arguments against the schema that the tool lists.", code: GUARD },
    source: "yours",
    run: (view) =>
      judge(
        of(view, "wrong-arguments", "type", "type-again", "missing", "bait").filter(
          ({ answer }) => answer.kind === "message" && !isDenied(answer),
        ),
        {
          nothing: "No tool may be called, or none has required arguments.",
          wrong: (exchange) =>
            isSuccess(exchange.answer) && !isDocumented(exchange)
              ? `${startWith(exchange)} gets a result without isError.`
              : undefined,
        },
      ),
  },
  {
    id: "false-green",
    category: "truthfulness",
    severity: "high",
    title: "A failure is not sent as a success.",
    failsWhen:
      'A result without `isError` begins with an error, or is JSON with `success: false`, `ok: false`, `status: "error"` or a filled `error`.',
    notCounted: "Results for several items of which some failed.",
    why: "Retries, circuit breakers and dashboards count it as a success.",
    fix: {
      text: "Throw, or set `isError`. Until every tool does, `guard` can fail such results for you.",
      code: `import { guard } from "@recourse/faults/server";

const shop = new McpServer({ name: "shop", version: "1.0.0" });
const server = guard(shop, { looksFailed: { answer: "fail" } });`,
    },
    source: "yours",
    preview: true,
    run: (view) =>
      judge(
        of(view, "valid-call").filter(({ answer }) => isSuccess(answer)),
        {
          nothing: "No valid call succeeded.",
          wrong: (exchange) => {
            const result = resultOf(exchange.answer) ?? {};
            const [text = ""] = contentTexts(result);
            const begins = FAILED.test(text.slice(0, 300));
            if (!begins && failureSign(result) === undefined) return undefined;
            return `${startWith(exchange)} is answered as a success that reports a failure: ${quote(text)}.`;
          },
        },
      ),
  },
  {
    id: "output-matches-schema",
    category: "truthfulness",
    severity: "high",
    title: "Results match the output schema of their tool.",
    failsWhen:
      "A successful result of a tool with an output schema has no `structuredContent`, or one that does not match.",
    notCounted: "Protocol versions before 2025-06-18, which have no output schemas.",
    why: "Official clients throw such a result away.",
    fix: {
      text: "`guard` reports such results and answers with a failure that says so, before a client drops them.",
      code: GUARD,
    },
    source: "yours",
    run: (view) => {
      if (view.era.negotiated < "2025-06-18") return skipped("This version of the protocol has no output schemas.");
      const looked = of(view, "valid-call").filter(
        ({ answer, tool }) => isSuccess(answer) && outputSchemaOf(view, tool) !== undefined,
      );
      return judge(looked, {
        nothing: "No tool with an output schema was called with success.",
        wrong: (exchange) => wrongOutput(exchange, view),
      });
    },
  },
  {
    id: "schema-valid",
    category: "truthfulness",
    severity: "medium",
    title: "The schemas of all tools can be read.",
    failsWhen: "An input schema is not of the type object, or a keyword has a value that JSON Schema does not allow.",
    notCounted: "Formats, unknown keywords, and references to other documents.",
    why: "Clients drop the tool, or the whole list.",
    fix: {
      text: "Let a schema library write it: the schemas of zod and of other Standard Schema libraries are always valid.",
      code: `server.registerTool(
  "list_orders",
  { inputSchema: z.object({ status: z.string() }) },
  listOrders,
);`,
    },
    source: "yours",
    run: (view) => {
      const { tools } = view.era;
      if (tools.length === 0) return skipped("The server lists no tools.");
      const found = tools.map(wrongSchema).find((problem) => problem !== undefined);
      if (found === undefined) return pass();
      const [list] = [...of(view, "list", "tools/list"), ...of(view, "list"), ...view.era.exchanges];
      return list === undefined ? skipped("The list of tools was not recorded.") : fail(found, [list]);
    },
  },
];
