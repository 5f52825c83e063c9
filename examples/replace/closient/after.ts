// The same server with Recourse: the error layer is gone, the wire is the same.
import { McpServer } from "@modelcontextprotocol/server";
import { closient } from "@recourse/dialects/closient";
import { defineReasons, slot } from "@recourse/faults";
import { core } from "@recourse/faults/reasons";
import { declares, guard, type Sink } from "@recourse/faults/server";
import * as z from "zod";
import { type Catalogue, isGtin } from "./catalogue.ts";

const gtins = defineReasons("gtin", {
  invalid: { kind: "invalid_input", text: "gtin is not a valid GTIN." },
  not_found: {
    kind: "not_found",
    text: "No product found for GTIN {gtin}",
    slots: { gtin: slot.pattern(/^\d{14}$/, { bare: true }) },
  },
});

const WRONG_GTIN = {
  issues: [{ pointer: "/gtin", rule: "format", expected: "14 digits with a check digit" }],
} as const;

export function createServer(catalogue: Catalogue, sink: Sink): McpServer {
  const server = guard(new McpServer({ name: "gtin", version: "1.0.0" }), {
    dialect: closient,
    docsBase: "https://closient.com/docs/errors",
    sink,
  });
  const inputSchema = z.object({ gtin: z.string() });

  // It has no errors, so it takes anything: what is no GTIN is not valid.
  const anything = z.object({ gtin: z.unknown().optional() });
  server.registerTool("validate_gtin", { description: "Checks a GTIN.", inputSchema: anything }, async ({ gtin }) =>
    success({ valid: isGtin(gtin) }),
  );
  server.registerTool(
    "resolve_gtin",
    { description: "Gives the link of a GTIN.", inputSchema, _meta: declares(gtins.invalid, gtins.not_found) },
    async ({ gtin }) => {
      const wait = catalogue.takeCall();
      if (wait !== undefined) throw core.rate_limited({}, { retry: { allowed: true, afterMs: wait * 1_000 } });
      if (!isGtin(gtin)) throw gtins.invalid({}, WRONG_GTIN);
      const url = await catalogue.resolve(gtin);
      if (url === undefined) throw gtins.not_found({ gtin });
      return success({ gtin, url });
    },
  );
  return server;
}

function success(payload: Record<string, unknown>) {
  return { content: [{ type: "text" as const, text: JSON.stringify(payload) }], structuredContent: payload };
}
