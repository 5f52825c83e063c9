import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { fail, render } from "@recourse/core";
import { recourse } from "@recourse/core/client";
import { guard, guardHandler, memoryIdempotency } from "@recourse/core/server";
import { readFailure } from "@recourse/explain";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";

const page = readFileSync(join(import.meta.dirname, "../docs/guide/troubleshooting.md"), "utf8");
const rows = [...page.matchAll(/^\| (?:`([^`]+)`|"([^"]+)").*? \| (.+?) \| .+ \|$/gm)].map(
  ([, code, sentence, meaning = ""]) => ({ text: code ?? sentence ?? "", cause: /\(\[(D\d+)\]/.exec(meaning)?.[1] }),
);
const ofOthers = rows.filter(({ cause, text }) => cause !== undefined && text !== "");
const ours = rows.filter(({ cause, text }) => cause === undefined && text !== "outcome.idempotencyKey");

test("the page has rows for errors of others, and for texts of Recourse", () => {
  expect(ofOthers.length).toBeGreaterThanOrEqual(12);
  expect(ours.length).toBeGreaterThanOrEqual(15);
});

test.each(ofOthers)("$text has the cause $cause", ({ text, cause }) => {
  expect(readFailure(text)).toMatchObject({ cause: { id: cause } });
});

/** Everything that Recourse says while the troubles of the page are provoked. */
const said: string[] = [];

beforeAll(async () => {
  vi.stubEnv("NODE_ENV", "development");
  vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  await provokeInCalls();
  await provokeAtEdge();
  for (const misuse of [
    guardTwice,
    () => recourse(new Client({ name: "c", version: "1.0.0" }), { retry: { policy: { attempts: 11 } } }),
  ])
    said.push(catchMessage(misuse));
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test.each(ours)("Recourse says: $text", ({ text }) => {
  const parts = text.split("…");
  expect(said.some((one) => parts.every((part) => one.includes(part)))).toBe(true);
});

async function provokeInCalls(): Promise<void> {
  const server = guard(new McpServer({ name: "orders", version: "1.0.0" }), {
    // A caller without a name, as on an HTTP server without authentication.
    idempotency: { store: memoryIdempotency(), caller: () => undefined },
  });
  const text = '{"success":false,"error":"boom"}';
  server.registerTool("divide", {}, () => {
    throw new RangeError("division by zero");
  });
  server.registerTool("leak", {}, () => {
    throw fail.unavailable`The store failed: ${"connect ECONNREFUSED postgres://app:hunter2@10.0.0.5"}`;
  });
  server.registerTool("soft", {}, () => ({ content: [{ type: "text", text }] }));
  server.registerTool("shape", { outputSchema: z.object({ total: z.number() }) }, () => ({
    content: [],
    structuredContent: { total: "7" } as unknown as { total: number },
  }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(near);
  const mcp = recourse(client);
  const call = async (tool: string, options = {}) => {
    const outcome = await mcp.call(tool, {}, options);
    if (!outcome.ok) said.push(render(outcome.fault, { for: "model" }));
  };
  for (const tool of ["leak", "soft", "shape", "no_such"]) await call(tool);
  await call("soft", { idempotencyKey: "key-of-a-stranger" });
  // The third failure in a row is a loop, and the breaker opens after five.
  for (let times = 0; times < 7; times++) await call("divide");
  await client.close();
  await call("soft");
}

async function provokeAtEdge(): Promise<void> {
  const handler = guardHandler((_: Request) => new Response(), { allowedHosts: ["127.0.0.1"] });
  const headers = { "content-type": "application/json", "content-length": "2" };
  const post = (host: string, body?: string) =>
    handler(
      new Request("http://127.0.0.1/mcp", { method: "POST", headers: { ...headers, host }, ...(body && { body }) }),
    );
  await post("rebound.example", "{}");
  await post("127.0.0.1");
}

/** Guards an `McpServer` after the server inside it. */
function guardTwice(): void {
  const server = new McpServer({ name: "twice", version: "1.0.0" });
  guard(server.server);
  guard(server);
}

function catchMessage(run: () => unknown): string {
  try {
    run();
    return "";
  } catch (error) {
    return String(error);
  }
}
