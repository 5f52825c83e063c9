// One of several processes of a server that share idempotency keys in PostgreSQL:
//   DATABASE_URL=postgres://… PORT=3000 node --conditions=@recourse/source examples/shared-store/server.ts
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { guard, guardHandler, toNodeListener } from "@recourse/faults/server";
import { createSchema, postgresIdempotency } from "@recourse/stores/postgres";
import pg from "pg";
import * as z from "zod";

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], connectionTimeoutMillis: 2_000 });
// A connection that breaks while nobody uses it must not end the process.
pool.on("error", (error) => console.error(error.message));
await createSchema(pool);
await pool.query("create table if not exists payment (id serial primary key, cents int not null)").catch(() => {});
const store = postgresIdempotency({ pool });

const handler = createMcpHandler(() => {
  const server = guard(new McpServer({ name: "till", version: "1.0.0" }), {
    // Here everybody is one caller. Yours are known by authentication.
    idempotency: { store, caller: () => "everybody" },
    deadlineMs: 10_000,
  });
  server.registerTool("pay", { inputSchema: z.object({ cents: z.number().int() }) }, async ({ cents }) => {
    const { rows } = await pool.query("insert into payment (cents) values ($1) returning id", [cents]);
    return { content: [{ type: "text", text: `Payment ${rows[0].id} of ${cents} cents is made.` }] };
  });
  return server;
});

const http = createServer(toNodeListener(guardHandler(handler, { name: "till" })));
http.listen(Number(process.env["PORT"] ?? 0), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
});

process.on("SIGTERM", async () => {
  await new Promise((resolve) => http.close(resolve));
  // Outcomes that are not stored yet are stored before the connections close.
  await store.close({ signal: AbortSignal.timeout(10_000) });
  await pool.end();
});
