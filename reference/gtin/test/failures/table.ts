// Provokes every failure, and writes down what each client saw.
import { mcp } from "@recourse/faults/dialects";
import { OBSERVERS, type Observer, observe, observeRest, type Seen, type SeenRest } from "../support/observers.ts";
import type { World } from "../support/world.ts";
import { FAILURES, type Failure } from "./failures.ts";

export interface Row {
  readonly failure: Failure;
  /** In the system's own wire, by client. */
  readonly seen: Readonly<Partial<Record<Observer, Seen>>>;
  readonly rest?: SeenRest;
  /** In MCP's own wire, by client. */
  readonly own: Readonly<Partial<Record<Observer, Seen>>>;
}

/** One row for each failure, in their order. */
export async function provokeAll(world: World): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const failure of FAILURES) rows.push(await provoke(failure, world));
  return rows;
}

async function provoke(failure: Failure, world: World): Promise<Row> {
  const { tool, args, path } = failure;
  const token = await failure.token?.(world);
  const undo = await failure.arrange?.(world);
  try {
    const seen: Partial<Record<Observer, Seen>> = {};
    const own: Partial<Record<Observer, Seen>> = {};
    for (const observer of failure.only === "REST" ? [] : OBSERVERS) {
      seen[observer] = await observe(observer, world.url, { tool, args, token });
      own[observer] = await observe(observer, world.url, { tool, args, token, dialect: "mcp" });
    }
    if (failure.only === "MCP") return { failure, seen, own };
    return { failure, seen, own, rest: await observeRest(world.url, { tool, args, token, path }) };
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
  const lines = rows.map(({ failure, seen, rest, own }) => [
    failure.cause,
    failure.tool,
    ...OBSERVERS.map((observer) => said(seen[observer])),
    rest === undefined ? "–" : `${rest.status} ${String(rest.body["error_code"])}${waits(rest.body)}`,
    ownSaid(own["v2 modern"]),
  ]);
  return [HEAD, HEAD.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function said(seen: Seen | undefined): string {
  const error = seen?.message.result?.error;
  return error === undefined ? "–" : `${error.code}${waits(error.data)}`;
}

function waits(problem: Readonly<Record<string, unknown>>): string {
  return problem["retry_after"] === undefined ? "" : `, retry_after ${String(problem["retry_after"])}`;
}

function ownSaid(seen: Seen | undefined): string {
  if (seen === undefined) return "–";
  const fault = mcp.decode(seen.message);
  const how = seen.status === 200 ? "isError" : `HTTP ${seen.status}`;
  return `${fault?.reason} (${how}${seen.threw === undefined ? "" : `, throws ${seen.threw}`})`;
}
