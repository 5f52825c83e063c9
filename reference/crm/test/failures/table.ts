// Provokes every failure, and writes down what each client saw.
import { headersOf } from "../support/asking.ts";
import {
  type Message,
  OBSERVERS,
  type Observer,
  observe,
  observeRest,
  type Seen,
  type SeenRest,
} from "../support/observers.ts";
import type { World } from "../support/world.ts";
import { FAILURES, type Failure } from "./failures.ts";

export interface Row {
  readonly failure: Failure;
  readonly seen: Readonly<Record<Observer, Seen>>;
  readonly rest?: SeenRest;
}

/** One row for each failure, in their order. */
export async function provokeAll(world: World): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const failure of FAILURES) rows.push(await provoke(failure, world));
  return rows;
}

async function provoke(failure: Failure, world: World): Promise<Row> {
  const undo = await failure.arrange?.(world);
  try {
    const seen: Partial<Record<Observer, Seen>> = {};
    for (const observer of OBSERVERS) seen[observer] = await observe(observer, world.mcp, failure);
    const row = { failure, seen: seen as Row["seen"] };
    return failure.rest === "none" ? row : { ...row, rest: await observeRest(world.rest, failure) };
  } finally {
    await undo?.();
  }
}

/** The HTTP methods that the MCP server does not serve; the official clients find out by asking for a stream. */
const METHODS = ["GET", "DELETE"] as const;

export interface Unserved {
  readonly method: (typeof METHODS)[number];
  readonly seen: Readonly<Partial<Record<Observer, Pick<Seen, "status" | "message">>>>;
}

/** What became of requests of other methods. */
export async function provokeMethods(world: World, rows: readonly Row[]): Promise<readonly Unserved[]> {
  const [row] = rows;
  const streams = OBSERVERS.flatMap((one) => {
    const stream = row?.seen[one].stream;
    return stream === undefined ? [] : [[one, stream] as const];
  });
  const asked = METHODS.map(async (method): Promise<Unserved> => {
    const response = await fetch(`${world.mcp}/mcp`, { method, headers: headersOf(FAILURES[0] as Failure) });
    const plain = { status: response.status, message: (await response.json()) as Message };
    return { method, seen: { ...(method === "GET" && Object.fromEntries(streams)), "plain HTTP": plain } };
  });
  return Promise.all(asked);
}

const HEAD = ["cause", "tool", ...OBSERVERS, "REST"];

/** The rows as a table in Markdown. */
export function tableOf(rows: readonly Row[], unserved: readonly Unserved[]): string {
  const calls = rows.map(({ failure, seen, rest }) => [
    failure.cause,
    failure.tool,
    ...OBSERVERS.map((observer) => said(seen[observer])),
    rest === undefined ? "–" : `${rest.status}${waits(rest)}`,
  ]);
  const methods = unserved.map(({ method, seen }) => [
    `${method} instead of POST`,
    "–",
    ...OBSERVERS.map((observer) => said(seen[observer])),
    "–",
  ]);
  return [HEAD, HEAD.map(() => "---"), ...calls, ...methods].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The code of an answer: that of the REST document in a result, or that of a JSON-RPC error. */
export function codeOf({ result, error }: Message): unknown {
  const { code, issues } = result?.structuredContent ?? {};
  return error?.code ?? code ?? (Array.isArray(issues) ? "issues" : undefined);
}

function said(seen: Pick<Seen, "status" | "message" | "threw"> | undefined): string {
  if (seen === undefined) return "never asks";
  const { status, message, threw } = seen;
  const how =
    message.error === undefined ? "isError" : `HTTP ${status}${threw === undefined ? "" : `, throws ${threw}`}`;
  return `${String(codeOf(message))} (${how})`;
}

function waits({ headers }: SeenRest): string {
  const wait = headers.get("retry-after");
  return wait === null ? "" : `, Retry-After ${wait}`;
}
