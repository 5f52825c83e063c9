// The connection to the database breaks while a statement runs: what callers learn about a second request.
import { type Fault, readFault } from "@recourse/faults";
import pg from "pg";
import { afterAll, afterEach, expect, test } from "vitest";
import { observe } from "./support/observers.ts";
import { createTestEnvironment, KEYS } from "./support/test-environment.ts";
import { bearer, restRequest, type ToolCall } from "./support/tool-call.ts";

const environment = await createTestEnvironment();
const { database, proxy } = environment;
afterAll(() => environment.close());
afterEach(() => proxy.reconnect());

const authorization = bearer(KEYS.north);
const create = (name: string): ToolCall => ({
  tool: "createClient",
  args: { name, email: "ida@example.com", stage: "lead" },
  authorization,
});
const rowsOf = async (name: string) =>
  (await database.query("select count(*)::int as rows from client where name = $1", [name]))[0]?.["rows"];
const send = async (toolCall: ToolCall) => {
  const response = await fetch(restRequest(environment.rest, toolCall));
  return { status: response.status, wait: response.headers.get("retry-after"), body: await response.json() };
};

/** Calls while the table is locked, breaks the connection when the statement waits, and releases the table. */
async function callAndLose<T>(call: () => Promise<T>): Promise<T> {
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  try {
    await other.query("begin; lock table client in access exclusive mode");
    const answer = call();
    await waitForLock("not granted");
    proxy.disconnect();
    return await answer;
  } finally {
    await other.end();
    await waitForLock("none");
  }
}

const LOCKS = {
  "not granted": "bool_or(not granted)",
  none: "count(*) = 0",
} as const;

/** Waits for a state of the locks on the table. */
async function waitForLock(state: keyof typeof LOCKS): Promise<void> {
  await expect
    .poll(
      async () => {
        const sql = `select ${LOCKS[state]} as is from pg_locks where relation = 'client'::regclass and pid <> pg_backend_pid()`;
        return (await database.query(sql))[0]?.["is"];
      },
      { interval: 20 },
    )
    .toBe(true);
}

test("REST: a write that took effect is not to be sent again", async () => {
  const { status, wait, body } = await callAndLose(() => send(create("Ida")));
  expect({ status, wait }).toEqual({ status: 503, wait: null });
  expect(body).toEqual({
    code: 503,
    error: "The service is not available at the moment",
    details: expect.stringMatching(
      /^It is not known whether this was done\. Look at the data before you send it again\./,
    ),
  });
  expect(await rowsOf("Ida")).toBe(1);
});

test("MCP: its fault does not allow a retry", async () => {
  const { message } = await callAndLose(() => observe("v2 modern", environment.mcp, create("Ada")));
  expect(message.result?.structuredContent).toMatchObject({ code: 503 });
  const fault = readFault(message.result?._meta?.["recourse/fault"]) as Fault;
  expect(fault.effect).toBe("possible");
  expect(fault.retry?.allowed).not.toBe(true);
  expect(fault.recourse.map((move) => move.do)).not.toContain("retry");
  expect(await rowsOf("Ada")).toBe(1);
});

test("a read may be sent again", async () => {
  const { wait, body } = await callAndLose(() => send({ tool: "listClients", args: {}, authorization }));
  expect(wait).toBe("2");
  expect(body).toMatchObject({ details: "Send the same request again after 2 s." });
});

test("a write that never began may be sent again", async () => {
  proxy.disconnect();
  const { wait, body } = await send(create("Eve"));
  expect(wait).toBe("2");
  expect(body).toMatchObject({ details: "Send the same request again after 2 s." });
  expect(await rowsOf("Eve")).toBe(0);
});

test("after a bug in a write nobody is told to try again", async () => {
  await database.query("alter table webhook rename column url to address");
  const args = { event: "client.created", url: "https://hooks.example.com/" };
  const { status, body } = await send({ tool: "createWebhook", args, authorization });
  await database.query("alter table webhook rename column address to url");
  expect(status).toBe(500);
  expect(body).toMatchObject({ details: expect.stringContaining("not known whether this was done") });
});

// What the body tells a model to do about a second request, and the move in the fault that means the same.
const ADVICE = [
  ["Send the same request again", "retry"],
  ["Try again", "retry"],
  ["Look at the data", "refresh"],
] as const;

test.each(["getClient", "deleteClient", "createClient", "launchCampaign"])(
  "%s: body and fault agree about a second request while the database is down",
  async (tool) => {
    proxy.disconnect();
    const args = tool === "createClient" ? create("Uma").args : { id: "1" };
    const { message } = await observe("v2 modern", environment.mcp, { tool, args, authorization });
    const fault = readFault(message.result?._meta?.["recourse/fault"]) as Fault;
    const details = String(message.result?.structuredContent?.["details"]);
    expect(ADVICE.find(([text]) => details.includes(text))?.[1]).toBe(fault.recourse[0].do);
    expect(fault).toMatchObject({ effect: "none", recourse: [{ do: "retry", afterMs: 2_000 }] });
    expect(await rowsOf("Uma")).toBe(0);
  },
);

test.each(["a read", "a write"])("body and fault agree about a second request after a bug in %s", async (kind) => {
  await database.query("alter table client rename column stage to phase");
  const call = kind === "a read" ? { tool: "getClient", args: { id: "1" }, authorization } : create("Ute");
  const { message } = await observe("v2 modern", environment.mcp, call);
  await database.query("alter table client rename column phase to stage");
  const fault = readFault(message.result?._meta?.["recourse/fault"]) as Fault;
  const details = String(message.result?.structuredContent?.["details"]);
  expect(ADVICE.find(([text]) => details.includes(text))?.[1]).toBe(fault.recourse[0].do);
});
