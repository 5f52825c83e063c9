// Lines that the author of a server writes in another language than TypeScript, if one call does it.

import type { Fix } from "../checks/check.ts";
import type { ServerKit, ServerLanguage } from "./server-kind.ts";

/** Findings that are the text of an exception: what the tool throws reaches the caller. */
const THROWN_TEXT = ["leak-credential", "leak-path", "leak-network", "leak-sql", "leak-runtime-text", "leak-stack"];
/** Findings about arguments that nobody checked. */
const UNCHECKED_ARGUMENTS = ["args-refused", "args-checked-first", "args-name-field", "args-say-expected"];
/** Findings about failures that are sent in the wrong form. */
const WRONG_FAILURE_FORM = ["false-green", "tool-failure-channel", "args-channel", "error-has-text"];

/** Lines for some checks. */
interface LanguageFix extends Fix {
  readonly for: readonly string[];
  /** Only for servers with these kits. @default all of the language */
  readonly kits?: readonly ServerKit[];
}

/** The first that fits is taken. */
const LANGUAGE_FIXES: Readonly<Record<Exclude<ServerLanguage, "typescript">, readonly LanguageFix[]>> = {
  python: [
    {
      for: THROWN_TEXT,
      kits: ["python-standalone"],
      text: "FastMCP passes the text of every exception on. Mask them, and raise a `ToolError` with a sentence of your own for what callers can correct.",
      code: `mcp = FastMCP("orders", mask_error_details=True)`,
    },
    {
      for: THROWN_TEXT,
      kits: ["python-fastmcp"],
      text: "The SDK passes the text of every exception on. Catch it in the tool, and raise a sentence of your own.",
      code: `from mcp.server.fastmcp.exceptions import ToolError

try:
    order = load_order(order_id)
except OSError:
    logger.exception("order %s", order_id)
    raise ToolError("The order could not be read. Try another id.") from None`,
    },
    {
      for: THROWN_TEXT,
      kits: ["python-low"],
      text: "The SDK passes the text of every exception on. Catch it in the handler, and raise a sentence of your own.",
      code: `try:
    order = load_order(arguments["order_id"])
except OSError:
    logger.exception("order")
    raise ValueError("The order could not be read. Try another id.") from None`,
    },
    {
      for: ["resource-not-found-code", "prompt-not-found-code", "completion-ref-code"],
      kits: ["python-low"],
      text: "The SDK sends an exception of a handler with the code 0. Raise an `McpError` with the code of the protocol.",
      code: `from mcp.shared.exceptions import McpError
from mcp.types import INVALID_PARAMS, ErrorData

raise McpError(ErrorData(code=INVALID_PARAMS, message=f"There is no resource {uri}."))`,
    },
    {
      for: ["annotations-present", "annotations-consistent"],
      text: "Say of each tool whether it only reads.",
      code: `from mcp.types import ToolAnnotations

@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))
def list_orders() -> list[str]: ...`,
    },
    {
      for: ["stdout-clean"],
      text: "Print to stderr: over stdio, stdout belongs to messages alone.",
      code: "print(text, file=sys.stderr)",
    },
  ],
  go: [
    {
      for: UNCHECKED_ARGUMENTS,
      kits: ["go-mark3labs"],
      text: "mcp-go checks arguments only if you turn it on.",
      code: `s := server.NewMCPServer("orders", "1.0.0", server.WithInputSchemaValidation())`,
    },
    {
      for: ["no-crash"],
      kits: ["go-mark3labs"],
      text: "Recover from panics in tools. The text of the panic still reaches the caller, so catch what you expect yourself.",
      code: `s := server.NewMCPServer("orders", "1.0.0", server.WithRecovery())`,
    },
    {
      for: WRONG_FAILURE_FORM,
      kits: ["go-mark3labs"],
      text: "Return a result that is marked as a failure. An `error` becomes a JSON-RPC error, which models do not see.",
      code: `return mcp.NewToolResultError("There is no such order."), nil`,
    },
    {
      for: ["annotations-present", "annotations-consistent"],
      kits: ["go-mark3labs"],
      text: "Say of each tool whether it only reads.",
      code: `mcp.NewTool("list_orders", mcp.WithReadOnlyHintAnnotation(true))`,
    },
    {
      for: ["annotations-present", "annotations-consistent"],
      text: "Say of each tool whether it only reads.",
      code: `&mcp.Tool{Name: "list_orders", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}`,
    },
    {
      for: ["stdout-clean"],
      text: "Log to stderr: over stdio, stdout belongs to messages alone.",
      code: "log.SetOutput(os.Stderr)",
    },
  ],
  csharp: [
    {
      for: ["annotations-present", "annotations-consistent"],
      text: "Say of each tool whether it only reads.",
      code: "[McpServerTool(ReadOnly = true)]",
    },
    {
      for: ["stdout-clean"],
      text: "Log to stderr: over stdio, stdout belongs to messages alone.",
      code: "builder.Logging.AddConsole(options => options.LogToStandardErrorThreshold = LogLevel.Trace);",
    },
    {
      for: THROWN_TEXT,
      text: "The SDK passes on the text of an `McpException`, and hides that of others. Throw one with a sentence of your own.",
      code: `catch (IOException error)
{
    logger.LogError(error, "order");
    throw new McpException("The order could not be read. Try another id.");
}`,
    },
  ],
  java: [
    {
      for: WRONG_FAILURE_FORM,
      text: "Return a result that is marked as a failure.",
      code: `return CallToolResult.builder().isError(true).addTextContent("There is no such order.").build();`,
    },
    {
      for: ["stdout-clean"],
      text: "Let your logging library write to stderr: over stdio, stdout belongs to messages alone.",
    },
  ],
  rust: [
    {
      for: WRONG_FAILURE_FORM,
      text: "Return a result that is marked as a failure. An `Err` becomes a JSON-RPC error, which models do not see.",
      code: `Ok(CallToolResult::error(vec![ContentBlock::text("There is no such order.")]))`,
    },
    {
      for: ["stdout-clean"],
      text: "Log to stderr: over stdio, stdout belongs to messages alone.",
      code: "tracing_subscriber::fmt().with_writer(std::io::stderr).init();",
    },
  ],
};

/** The lines for a check in a language, if there are some. */
export function findLanguageFix(
  check: string,
  language: ServerLanguage | undefined,
  kit: ServerKit | undefined,
): Fix | undefined {
  if (language === undefined || language === "typescript") return undefined;
  const found = LANGUAGE_FIXES[language].find(
    (one) => one.for.includes(check) && (one.kits === undefined || (kit !== undefined && one.kits.includes(kit))),
  );
  return found && { text: found.text, ...(found.code !== undefined && { code: found.code }) };
}
