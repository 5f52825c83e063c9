import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { core } from "@recourse/faults/reasons";
import { declares, guard } from "@recourse/faults/server";
import * as z from "zod";
import { library } from "./dialect.ts";
import { lending } from "./reasons.ts";

const COPIES: Readonly<Record<string, "free" | "lent" | "slow">> = {
  "9780262033848": "free",
  "9780201896831": "lent",
  "9780131103627": "slow",
};

serveStdio(() => {
  const server = guard(new McpServer({ name: "library", version: "1.0.0" }), { dialect: library });
  server.registerTool(
    "lend",
    {
      description: "Lends a book.",
      inputSchema: z.object({ isbn: z.string().regex(/^\d{13}$/) }),
      _meta: declares(lending.no_book, lending.all_lent, core.timeout),
    },
    async ({ isbn }) => {
      const copies = COPIES[isbn];
      if (copies === undefined) throw lending.no_book({ isbn });
      if (copies === "lent") throw lending.all_lent({ isbn, until: "2026-12-01" });
      if (copies === "slow") throw core.timeout();
      return { content: [{ type: "text", text: `${isbn} is yours until Christmas.` }] };
    },
  );
  return server;
});
