import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { recourse } from "@recourse/faults/client";
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";

let database: TestDatabase;
const processes: ChildProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const child of processes) {
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }
  await database?.drop();
});

async function startServer(): Promise<URL> {
  const entry = fileURLToPath(new URL("server.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@recourse/source", entry], {
    env: { ...process.env, DATABASE_URL: database.url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  processes.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return new URL(line);
}

/** A load balancer in one function: every call goes to the next process. The first reply to a call of a tool is lost. */
function balanced(urls: readonly URL[], lost: string[]): typeof fetch {
  let turn = 0;
  return async (_input, init) => {
    turn += 1;
    const response = await fetch(urls[turn % urls.length] as URL, init);
    if (lost.length > 0 || !String(init?.body).includes('"tools/call"')) return response;
    lost.push(await response.text());
    throw new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
  };
}

test("a call whose reply is lost is repeated at another process, and pays once", async () => {
  const urls = [await startServer(), await startServer()];
  const lost: string[] = [];
  const client = new Client(
    { name: "shop", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(new StreamableHTTPClientTransport(urls[0] as URL, { fetch: balanced(urls, lost) }));
  const outcome = await recourse(client).call("pay", { cents: 4_200 }, { idempotencyKey: "order-7" });
  expect(lost).toHaveLength(1);
  expect(lost[0]).toContain("Payment 1 of 4200 cents is made.");
  expect(outcome).toMatchObject({ ok: true, result: { content: [{ text: "Payment 1 of 4200 cents is made." }] } });
  expect(await database.query("select cents from payment")).toEqual([{ cents: 4_200 }]);
  await client.close();
});
