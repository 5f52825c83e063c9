// A server as Closient's document describes it, with an error layer of its own.
import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Catalogue, isGtin } from "./catalogue.ts";

const DOCS = "https://closient.com/docs/errors";

const ERRORS = {
  rate_limited: { code: -32003, title: "Rate Limited", status: 429, retryable: true },
  validation_error: { code: -32101, title: "Validation Error", status: 422, retryable: false },
  not_found: { code: -32200, title: "Not Found", status: 404, retryable: false },
  internal_error: { code: -32300, title: "Internal Error", status: 500, retryable: true },
} as const;

class ToolError extends Error {
  readonly errorCode: keyof typeof ERRORS;
  readonly more: object;

  constructor(errorCode: keyof typeof ERRORS, detail: string, more: object = {}) {
    super(detail);
    this.errorCode = errorCode;
    this.more = more;
  }
}

/** The error member of a result. */
function errorOf(thrown: unknown) {
  const isKnown = thrown instanceof ToolError;
  if (!isKnown) console.error(thrown);
  const errorCode = isKnown ? thrown.errorCode : "internal_error";
  const { code, title, status, retryable } = ERRORS[errorCode];
  const data = {
    type: `${DOCS}/${errorCode}`,
    title,
    status,
    detail: thrown instanceof Error ? thrown.message : String(thrown),
    error_code: errorCode,
    retryable,
    timestamp: new Date().toISOString().replace(/\.\d+Z$/, "+00:00"),
    ...(isKnown && thrown.more),
  };
  return { code, message: title, data };
}

/** Runs a tool. Its failure becomes the member `error` of the result. */
function withErrors<Args>(run: (args: Args) => Promise<Record<string, unknown>>) {
  return async (args: Args) => {
    try {
      const payload = await run(args);
      return { content: [{ type: "text" as const, text: JSON.stringify(payload) }], structuredContent: payload };
    } catch (thrown) {
      const error = errorOf(thrown);
      return { content: [{ type: "text" as const, text: error.data.detail }], error };
    }
  };
}

export function createServer(catalogue: Catalogue): McpServer {
  const server = new McpServer({ name: "gtin", version: "1.0.0" });
  const inputSchema = z.object({ gtin: z.string() });

  // It has no errors, so it takes anything: what is no GTIN is not valid.
  const anything = z.object({ gtin: z.unknown().optional() });
  server.registerTool(
    "validate_gtin",
    { description: "Checks a GTIN.", inputSchema: anything },
    withErrors(async ({ gtin }) => ({ valid: isGtin(gtin) })),
  );
  server.registerTool(
    "resolve_gtin",
    { description: "Gives the link of a GTIN.", inputSchema },
    withErrors(async ({ gtin }) => {
      const wait = catalogue.takeCall();
      if (wait !== undefined) throw new ToolError("rate_limited", "The rate limit is reached.", { retry_after: wait });
      if (!isGtin(gtin)) throw new ToolError("validation_error", `${gtin} is not a valid GTIN`);
      const url = await catalogue.resolve(gtin);
      if (url === undefined) throw new ToolError("not_found", `No product found for GTIN ${gtin}`);
      return { gtin, url };
    }),
  );
  return server;
}
