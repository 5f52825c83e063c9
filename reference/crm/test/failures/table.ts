// Causes every failure, and records what each client received.

import {
  type Message,
  OBSERVERS,
  type Observation,
  type Observer,
  observe,
  observeRest,
  type RestObservation,
} from "../support/observers.ts";
import type { TestEnvironment } from "../support/test-environment.ts";
import { headersOf } from "../support/tool-call.ts";
import { FAILURES, type Failure } from "./failures.ts";

export interface Row {
  readonly failure: Failure;
  readonly observed: Readonly<Record<Observer, Observation>>;
  readonly rest?: RestObservation;
}

/** One row for each failure, in their order. */
export async function provokeAll(environment: TestEnvironment): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const failure of FAILURES) rows.push(await provoke(failure, environment));
  return rows;
}

async function provoke(failure: Failure, environment: TestEnvironment): Promise<Row> {
  const undo = await failure.arrange?.(environment);
  try {
    const observed: Partial<Record<Observer, Observation>> = {};
    for (const observer of OBSERVERS) observed[observer] = await observe(observer, environment.mcp, failure);
    const row = { failure, observed: observed as Row["observed"] };
    return failure.rest === "none" ? row : { ...row, rest: await observeRest(environment.rest, failure) };
  } finally {
    await undo?.();
  }
}

/** The HTTP methods that the MCP server does not serve; the official clients find out by toolCall for a stream. */
const METHODS = ["GET", "DELETE"] as const;

export interface Unserved {
  readonly method: (typeof METHODS)[number];
  readonly observed: Readonly<Partial<Record<Observer, Pick<Observation, "status" | "message">>>>;
}

/** The answers to requests with other methods. */
export async function provokeMethods(environment: TestEnvironment, rows: readonly Row[]): Promise<readonly Unserved[]> {
  const [row] = rows;
  const streams = OBSERVERS.flatMap((one) => {
    const stream = row?.observed[one].stream;
    return stream === undefined ? [] : [[one, stream] as const];
  });
  const asked = METHODS.map(async (method): Promise<Unserved> => {
    const response = await fetch(`${environment.mcp}/mcp`, { method, headers: headersOf(FAILURES[0] as Failure) });
    const plain = { status: response.status, message: (await response.json()) as Message };
    return { method, observed: { ...(method === "GET" && Object.fromEntries(streams)), "plain HTTP": plain } };
  });
  return Promise.all(asked);
}

const HEAD = ["cause", "tool", ...OBSERVERS, "REST"];

/** The rows as a table in Markdown. */
export function tableOf(rows: readonly Row[], unserved: readonly Unserved[]): string {
  const calls = rows.map(({ failure, observed, rest }) => [
    failure.cause,
    failure.tool,
    ...OBSERVERS.map((observer) => summarize(observed[observer])),
    rest === undefined ? "–" : `${rest.status}${waitNote(rest)}`,
  ]);
  const methods = unserved.map(({ method, observed }) => [
    `${method} instead of POST`,
    "–",
    ...OBSERVERS.map((observer) => summarize(observed[observer])),
    "–",
  ]);
  return [HEAD, HEAD.map(() => "---"), ...calls, ...methods].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The code of an answer: that of the REST document in a result, or that of a JSON-RPC error. */
export function codeOf({ result, error }: Message): unknown {
  const { code, issues } = result?.structuredContent ?? {};
  return error?.code ?? code ?? (Array.isArray(issues) ? "issues" : undefined);
}

function summarize(observed: Pick<Observation, "status" | "message" | "threw"> | undefined): string {
  if (observed === undefined) return "never asks";
  const { status, message, threw } = observed;
  const how =
    message.error === undefined ? "isError" : `HTTP ${status}${threw === undefined ? "" : `, throws ${threw}`}`;
  return `${String(codeOf(message))} (${how})`;
}

function waitNote({ headers }: RestObservation): string {
  const wait = headers.get("retry-after");
  return wait === null ? "" : `, Retry-After ${wait}`;
}
