// The pages that compare one way with Recourse.
import { code, GENERATED, list, page, table } from "../../scripts/generate/markdown.ts";
import { commandFor, linkSources, mark, readRow, runRow, sdkRows } from "./cells.ts";
import { FAILURE_NAMES, FAILURES } from "./failures.ts";
import type { Results } from "./results.ts";
import { GATEWAY_NAMES, GATEWAYS } from "./sources.ts";
import { TRACKED, TRACKER } from "./tracker.ts";

const BACK = "All seven ways side by side: [Ten failures, seven ways to handle them](README.md).";
const ANSWERS = "● yes, ◐ partly, ○ no, – not known.";

/** One section for each failure, with a small table. */
function sections(rows: (failure: (typeof FAILURE_NAMES)[number]) => readonly (readonly string[])[]): string[] {
  return FAILURE_NAMES.flatMap((failure) => [
    `### ${FAILURES[failure].title}`,
    `${FAILURES[failure].cause} **${FAILURES[failure].question}**`,
    table(["way", "what happens", "evidence"], rows(failure)),
    `Run one: ${code(`${commandFor(failure)} --way <way>`)}.`,
  ]);
}

/** Recourse and the SDK alone. */
export function bareSdkPage(results: Results): string {
  return page([
    GENERATED,
    "# Recourse and the SDK alone",
    "What the official SDK does with ten failures by itself, what the library changes, and when the SDK is enough.",
    "## When the SDK is enough",
    list([
      "Your tools only read, and anyone may see the texts of their errors.",
      "Your server and its only client run on one machine, and a person sees every failure.",
      "All you need is a new token after a 401: the `authProvider` of the SDK gets one.",
    ]),
    "## When it is not",
    list([
      "A thrown error reaches the model with its whole text: addresses, passwords, SQL.",
      "After a time-out or a lost connection, the model cannot see that the call may have taken effect. It may repeat the call.",
      "`Retry-After` of a failed HTTP request does not reach your program.",
      "v1 and v2 differ: an unknown tool is a result with `isError` in v1 and an exception in v2.",
    ]),
    "Start with [Guard a server](../guide/guard-a-server.md) or [Call tools safely](../guide/call-tools-safely.md). You can use either one alone.",
    "## The ten failures",
    ANSWERS,
    ...sections((failure) => [...sdkRows(failure, results), runRow("Recourse library", failure, "library", results)]),
    BACK,
  ]);
}

/** Recourse and a retry in the client. */
export function retryPage(results: Results): string {
  const cockatiel = "https://github.com/connor4312/cockatiel/blob/f475a690eedbb9dc7e495b6e4b0f42105c195ec3";
  return page([
    GENERATED,
    "# Recourse and a retry in the client",
    "What a retry around `callTool` does with ten failures, what the Recourse library does, and when a retry is enough.",
    `The retry is ${code("pRetry(() => client.callTool(…), { retries: 2 })")} of p-retry ${results.versions["p-retry"]}, around SDK v2. ` +
      "It makes up to three attempts, as Recourse does by default.",
    "## When a retry is enough",
    list([
      "Every tool that you call only reads, or handles a repeated call itself.",
      "The server has few callers, so retries cannot overload it.",
      "The failures that matter to you are exceptions. A retry does not see results with `isError`.",
    ]),
    "## When it is not",
    list([
      "A tool that charges, sends or deletes is called again after a time-out. In this run the card was charged three times.",
      "A retry does not know which failures a second attempt can fix. It calls an unknown tool three times.",
      "A retry cannot wait as long as the server asks, because the SDK drops `Retry-After`.",
      "A retry does not reconnect. After the server process ended, every attempt fails with `Not connected`.",
    ]),
    "You can write some of these rules yourself with the `shouldRetry` option of p-retry. " +
      `[cockatiel](${cockatiel}/src/CircuitBreakerPolicy.ts#L115), another library, has a circuit breaker. It was not run here.`,
    "## The ten failures",
    ANSWERS,
    ...sections((failure) => [
      runRow("Retry", failure, "retry", results),
      runRow("Recourse library", failure, "library", results),
    ]),
    BACK,
  ]);
}

/** Recourse and other gateways. */
export function apiGatewayPage(results: Results): string {
  return page([
    GENERATED,
    "# Recourse and another gateway",
    "What four public gateways do with ten failures, what the Recourse gateway does, and when another gateway is enough.",
    "The four were not run. Each answer links to the public source that we read. " +
      "For the parts of the protocol, see [Other gateways](../gateway/other-gateways.md).",
    "## When another gateway is enough",
    list([
      "You already run one, and your servers use `guard`: all four pass the texts of tools through unchanged.",
      "Your callers need routing, authentication and rate limits more than a contract for failures.",
      "You want the model to read exactly what the server wrote.",
    ]),
    "## When it is not",
    list([
      "You do not control the servers. Their error texts reach the model, including any secrets in them.",
      "Your tools change something, and callers may repeat a call. We found no idempotency keys in any of the four.",
      "Your callers need to know how long to wait, or whether a failed call may have taken effect.",
    ]),
    "## The ten failures, gateway by gateway",
    ANSWERS,
    ...GATEWAY_NAMES.flatMap((gateway) => [
      `### ${GATEWAYS[gateway].title}`,
      table(
        ["failure", "what happens", "evidence"],
        FAILURE_NAMES.map((failure) => readRow(FAILURES[failure].title, failure, gateway)),
      ),
    ]),
    "### Recourse gateway",
    table(
      ["failure", "what happens", "evidence"],
      FAILURE_NAMES.map((failure) => {
        const [title = "", text = ""] = runRow(FAILURES[failure].title, failure, "gateway", results);
        return [title, text, code(`${commandFor(failure)} --way gateway`)];
      }),
    ),
    BACK,
  ]);
}

/** Recourse and an error tracker. */
export function errorTrackerPage({ cells }: Results): string {
  const { title, name, commit, date } = TRACKER;
  return page([
    GENERATED,
    "# Recourse and an error tracker",
    "What an error tracker learns about ten failures, what Recourse reports, and why you may want both.",
    `The tracker is the MCP integration of [${title}](https://github.com/${name}/tree/${commit}), as of ${date}. We read its source and did not run it. ` +
      "It wraps the handlers of a server. The texts that the model reads are from SDK v2, which was run.",
    "## When an error tracker is enough",
    list([
      "You want to know which of your handlers threw, with the stack trace and the release.",
      "The model may read the texts of your errors.",
    ]),
    "## What each does",
    list([
      "A tracker reports exceptions to you. It does not change what the model reads, and it does not stop repeated calls.",
      "Recourse changes what the model and the program get. The library passes a record of each failure to your `sink`. It does not " +
        "store or group records. The gateway keeps [incidents](../gateway/incidents.md).",
      "To use both, send the records to your tracker from a `sink`: see [Watch failures in production](../guide/observability.md). " +
        "We did not try both on one server.",
    ]),
    "## The ten failures",
    `Does an operator learn about the failure? ${ANSWERS} Records are counted over the sinks of the server and the client, so one failure ` +
      "can give two. The sink of the client also gets the caller's mistakes.",
    table(
      [
        "failure",
        "what the model reads without Recourse",
        title,
        "evidence",
        "records of the library",
        "records of the gateway",
      ],
      FAILURE_NAMES.map((failure) => {
        const { "sdk-v2": bare, library, gateway } = cells[failure];
        const tracked = TRACKED[failure];
        return [
          FAILURES[failure].title,
          code(bare.model),
          `${mark(tracked.verdict)}. ${tracked.text}`,
          linkSources(TRACKER, tracked),
          String(library.incidents ?? 0),
          String(gateway.incidents ?? 0),
        ];
      }),
    ),
    "Run a row: `npm run research -- compare --failure <name> --way <way>` with the ways `sdk-v2`, `library` and `gateway`. Names: " +
      `${FAILURE_NAMES.map(code).join(", ")}.`,
    BACK,
  ]);
}
