// The pages of docs/compare. What was run is stored in results.json, what was read is in sources.ts.
import { anchorOf, code, GENERATED, list, page, table } from "../../scripts/generate/markdown.ts";
import { commandFor, mark, readRow, runRow, sdkRows } from "./cells.ts";
import { FAILURE_NAMES, FAILURES, type Failure, type FailureName } from "./failures.ts";
import { type Results, readResults } from "./results.ts";
import { GATEWAY_NAMES, GATEWAYS, KEY_SEARCH, READINGS } from "./sources.ts";
import { apiGatewayPage, bareSdkPage, errorTrackerPage, retryPage } from "./sub-pages.ts";

const FOLDER = "docs/compare";

/** The pages, by their paths. */
export function comparePages(): (readonly [string, string])[] {
  const results = readResults();
  return [
    [`${FOLDER}/README.md`, overviewPage(results)],
    [`${FOLDER}/bare-sdk.md`, bareSdkPage(results)],
    [`${FOLDER}/retry-in-the-client.md`, retryPage(results)],
    [`${FOLDER}/api-gateway.md`, apiGatewayPage(results)],
    [`${FOLDER}/error-tracker.md`, errorTrackerPage(results)],
  ];
}

const heading = (failure: FailureName): string => `${FAILURE_NAMES.indexOf(failure) + 1}. ${FAILURES[failure].title}`;

function overviewPage(results: Results): string {
  const { versions } = results;
  return page([
    GENERATED,
    "# Ten failures, seven ways to handle them",
    "Ten failures of MCP tool calls, seven ways to handle them, and what happens in each, with the evidence.",
    list([
      `**SDK**: the official TypeScript SDK alone, v2 (${versions["@modelcontextprotocol/client"]}) and v1 (${versions["@modelcontextprotocol/sdk"]}).`,
      `**Retry**: p-retry ${versions["p-retry"]} around it: ${code("pRetry(() => client.callTool(…), { retries: 2 })")}.`,
      ...GATEWAY_NAMES.map((one) => {
        const { title, name, commit, date } = GATEWAYS[one];
        return `**${title}**: [${name}](https://github.com/${name}/tree/${commit}) of ${date}.`;
      }),
      "**Recourse**: the library (`guard` at the server, `recourse` at the client), or the gateway in front of a bare server.",
    ]),
    "The SDK, the retry and Recourse were run, with real servers and clients on one machine. The other four gateways were not " +
      "run: we read their public sources, and each answer links to the lines. “Not found” means that we searched and found " +
      "nothing, which is not a proof. If we neither ran nor read anything, the answer is “not known”. " +
      "Incident ids in the texts are replaced by one id.",
    "Four pages each look at one way and say when it is enough: [the SDK alone](bare-sdk.md), " +
      "[a retry in the client](retry-in-the-client.md), [another gateway](api-gateway.md), [an error tracker](error-tracker.md).",
    "## All answers in one table",
    "Each failure has one question. ● yes, ◐ partly, ○ no, – not known.",
    overviewTable(results),
    "## Where Recourse is not ahead",
    list([
      `**[${heading("tool-sentence")}](#${anchorOf(heading("tool-sentence"))})**: all other ways pass on the sentence alone. ` +
        "Recourse adds words to it.",
      `**[${heading("expired-token")}](#${anchorOf(heading("expired-token"))})**: the SDK gets a new token by itself.`,
      `**[${heading("wrong-arguments")}](#${anchorOf(heading("wrong-arguments"))})**: the text from the SDK is enough to correct the call.`,
      `**[${heading("rate-limited")}](#${anchorOf(heading("rate-limited"))})**: a retry succeeds too, with one request too many. The Recourse gateway passes the wait on, but does not retry for the caller.`,
      `**[${heading("same-payment")}](#${anchorOf(heading("same-payment"))})**: Recourse does nothing here until your calls have keys.`,
    ]),
    ...FAILURE_NAMES.flatMap((failure) => failureSection(failure, results)),
    "## Reproduce",
    "`npm run research -- compare` causes every failure in every way that can be run, and stores the results in " +
      "`research/compare/results.json`. `npm run generate` writes these pages from that file. A test causes the quick failures again and compares. " +
      "For what was run, rules in `research/compare/failures.ts` give the answers yes, partly and no. " +
      `The search for idempotency keys in the other gateways was ${code(KEY_SEARCH)}. It finds only a test in IBM ContextForge, about stored headers.`,
  ]);
}

function overviewTable({ cells }: Results): string {
  const rows = FAILURE_NAMES.map((failure) => {
    const { question, judge }: Failure = FAILURES[failure];
    const { "sdk-v2": newer, "sdk-v1": older, retry, library, gateway } = cells[failure];
    const sdk = judge(newer) === judge(older) ? mark(judge(newer)) : `${mark(judge(newer))}, v1 ${mark(judge(older))}`;
    return [
      `[${question}](#${anchorOf(heading(failure))})`,
      sdk,
      mark(judge(retry)),
      ...GATEWAY_NAMES.map((one) => mark(READINGS[one][failure].verdict)),
      mark(judge(library)),
      mark(judge(gateway)),
    ];
  });
  const gateways = GATEWAY_NAMES.map((one) => GATEWAYS[one].title);
  return table(["question", "SDK", "Retry", ...gateways, "Recourse library", "Recourse gateway"], rows);
}

function failureSection(failure: FailureName, results: Results): string[] {
  const { cause, question, setup }: Failure = FAILURES[failure];
  return [
    `## ${heading(failure)}`,
    `${cause} **${question}**`,
    table(
      ["way", "what happens", "evidence"],
      [
        ...sdkRows(failure, results),
        runRow("Retry", failure, "retry", results),
        ...GATEWAY_NAMES.map((one) => readRow(GATEWAYS[one].title, failure, one)),
        runRow("Recourse library", failure, "library", results),
        runRow("Recourse gateway", failure, "gateway", results),
      ],
    ),
    [setup, `Run one: ${code(`${commandFor(failure)} --way <way>`)}.`].filter((part) => part !== undefined).join(" "),
  ];
}
