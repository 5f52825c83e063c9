// Causes every failure, and records what each client received.
import { mcp } from "@recourse/faults/dialects";
import {
  OBSERVERS,
  type Observation,
  type Observer,
  observe,
  observeRest,
  type RestObservation,
} from "../support/observers.ts";
import type { TestEnvironment } from "../support/test-environment.ts";
import { FAILURES, type Failure } from "./failures.ts";

export interface Row {
  readonly failure: Failure;
  /** In the dialect of the server, by client. */
  readonly observed: Readonly<Partial<Record<Observer, Observation>>>;
  readonly rest?: RestObservation;
  /** In MCP's own dialect, by client. */
  readonly own: Readonly<Partial<Record<Observer, Observation>>>;
}

/** One row for each failure, in their order. */
export async function provokeAll(environment: TestEnvironment): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const failure of FAILURES) rows.push(await provoke(failure, environment));
  return rows;
}

async function provoke(failure: Failure, environment: TestEnvironment): Promise<Row> {
  const { tool, args, path } = failure;
  const token = await failure.token?.(environment);
  const undo = await failure.arrange?.(environment);
  try {
    const observed: Partial<Record<Observer, Observation>> = {};
    const own: Partial<Record<Observer, Observation>> = {};
    for (const observer of failure.only === "REST" ? [] : OBSERVERS) {
      observed[observer] = await observe(observer, environment.url, { tool, args, token });
      own[observer] = await observe(observer, environment.url, { tool, args, token, dialect: "mcp" });
    }
    if (failure.only === "MCP") return { failure, observed, own };
    return { failure, observed, own, rest: await observeRest(environment.url, { tool, args, token, path }) };
  } finally {
    await undo?.();
  }
}

const HEAD = [
  "cause",
  "tool",
  ...OBSERVERS.map((one) => `closient: ${one}`),
  "REST",
  "mcp: reason as decoded (v2 modern)",
];

/** The rows as a table in Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ failure, observed, rest, own }) => [
    failure.cause,
    failure.tool,
    ...OBSERVERS.map((observer) => summarize(observed[observer])),
    rest === undefined ? "–" : `${rest.status} ${String(rest.body["error_code"])}${waitNote(rest.body)}`,
    summarizeMcp(own["v2 modern"]),
  ]);
  return [HEAD, HEAD.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function summarize(observed: Observation | undefined): string {
  const error = observed?.message.result?.error;
  return error === undefined ? "–" : `${error.code}${waitNote(error.data)}`;
}

function waitNote(problem: Readonly<Record<string, unknown>>): string {
  return problem["retry_after"] === undefined ? "" : `, retry_after ${String(problem["retry_after"])}`;
}

function summarizeMcp(observed: Observation | undefined): string {
  if (observed === undefined) return "–";
  const fault = mcp.decode(observed.message);
  const how = observed.status === 200 ? "isError" : `HTTP ${observed.status}`;
  return `${fault?.reason} (${how}${observed.threw === undefined ? "" : `, throws ${observed.threw}`})`;
}
