// What a server is written with, as far as its answers and its command line show it. A fix must fit the server that was probed.

import { FAULTS_EXTENSION, hasHandshake, objectAt, stringAt } from "@recourse/core/wire";
import { answerCode, answerError, isToolFailure, modelText } from "../checks/exchanges.ts";
import type { RecordedExchange, Recording, StimulusName } from "../recording/recording.ts";

/** The kits that servers are written with. */
export const SERVER_KITS = {
  "typescript-1": { language: "typescript", name: "McpServer of the TypeScript SDK 1.x" },
  "typescript-2": { language: "typescript", name: "McpServer of the TypeScript SDK 2.x" },
  "typescript-low": { language: "typescript", name: "the low-level Server of the TypeScript SDK" },
  "typescript-fastmcp": { language: "typescript", name: "FastMCP for TypeScript" },
  "python-fastmcp": { language: "python", name: "FastMCP of the Python SDK" },
  "python-standalone": { language: "python", name: "FastMCP for Python" },
  "python-low": { language: "python", name: "the low-level Server of the Python SDK" },
  "go-mark3labs": { language: "go", name: "mcp-go" },
  "go-official": { language: "go", name: "the Go SDK" },
  dotnet: { language: "csharp", name: "the C# SDK" },
  java: { language: "java", name: "the Java SDK" },
  rust: { language: "rust", name: "the Rust SDK" },
} as const satisfies Record<string, { readonly language: ServerLanguage; readonly name: string }>;

export type ServerKit = keyof typeof SERVER_KITS;

/** The languages that fixes are written in. */
export type ServerLanguage = "typescript" | "python" | "go" | "csharp" | "java" | "rust";

/** What is known about how a server is made. Without a language nothing is. */
export interface ServerKind {
  readonly language?: ServerLanguage;
  /** The SDK or framework. Not set if the answers show none: written by hand, or too little was seen. */
  readonly kit?: ServerKit;
  /** Whether it is guarded by Recourse already. */
  readonly isGuarded: boolean;
  /** Whether Express answers its HTTP requests. */
  readonly hasExpress: boolean;
}

/** Finds out what a server is written with. */
export function detectServerKind(recording: Recording): ServerKind {
  const cached = KNOWN_KINDS.get(recording);
  if (cached !== undefined) return cached;
  const isGuarded = recording.eras.some(
    ({ capabilities }) => objectAt(objectAt(capabilities, "extensions"), FAULTS_EXTENSION) !== undefined,
  );
  const kit = findKit(recording) ?? (isGuarded ? guardedKit(recording) : undefined);
  const language = kit === undefined ? findLanguage(recording) : SERVER_KITS[kit].language;
  const kind: ServerKind = {
    ...(language !== undefined && { language }),
    ...(kit !== undefined && { kit }),
    isGuarded,
    hasExpress:
      headerTexts(recording, "x-powered-by").some((text) => /express/i.test(text)) || hasExpressPage(recording),
  };
  KNOWN_KINDS.set(recording, kind);
  return kind;
}

const KNOWN_KINDS = new WeakMap<Recording, ServerKind>();

/** A guard writes all answers itself; only the SDK 2.x speaks the era without a handshake. */
function guardedKit({ eras }: Recording): ServerKit {
  return eras.some(({ revision }) => !hasHandshake(revision)) ? "typescript-2" : "typescript-1";
}

/** An answer that only one kit writes. */
interface KitSign {
  readonly kit: ServerKit;
  /** What was sent. @default anything */
  readonly to?: readonly StimulusName[];
  /** How it was answered. */
  readonly as?: "rpc" | "tool";
  readonly code?: number;
  readonly text: RegExp;
}

/** The first sign that is seen decides, so those that can be mistaken for others come last. */
const SIGNS: readonly KitSign[] = [
  { kit: "typescript-fastmcp", to: ["unknown-tool"], as: "rpc", code: -32601, text: /Unknown tool: / },
  { kit: "typescript-fastmcp", text: /\bTool '[^'\n]{1,128}' (?:parameter validation|execution) failed: / },
  {
    kit: "typescript-1",
    as: "tool",
    text: /^MCP error -32602: (?:Tool [^\n]{1,128} (?:not found|disabled)|Input validation error)/,
  },
  {
    kit: "typescript-2",
    to: ["unknown-tool", "prototype-name"],
    as: "rpc",
    code: -32602,
    text: /^Tool [^\n']{1,128} (?:not found|disabled)$/,
  },
  { kit: "typescript-2", as: "tool", text: /^Input validation error: Invalid arguments for tool / },
  {
    kit: "python-standalone",
    as: "tool",
    text: /^(?:Unknown tool: '|Error calling tool ')|\bvalidation errors? for call\[/,
  },
  {
    kit: "python-fastmcp",
    as: "tool",
    text: /^Error executing tool [^\n:]{1,128}: |\bvalidation errors? for \w{1,128}Arguments\b/,
  },
  {
    kit: "python-fastmcp",
    to: ["unknown-resource", "unknown-prompt"],
    as: "rpc",
    code: 0,
    text: /^Unknown (?:resource|prompt): /,
  },
  { kit: "python-low", to: ["unknown-method"], as: "rpc", code: -32602, text: /^Invalid request parameters$/ },
  {
    kit: "go-mark3labs",
    as: "rpc",
    text: /^(?:tool '.{1,300}' not found: tool|prompt '.{1,300}' not found: prompt|handler not found for resource URI '.{1,300}': resource) not found$/,
  },
  { kit: "go-official", as: "rpc", code: -32602, text: /^unknown (?:tool|prompt) "/ },
  { kit: "go-official", as: "tool", text: /^validating "arguments": / },
  {
    kit: "dotnet",
    as: "rpc",
    text: /^(?:Unknown (?:tool|prompt): '|Unknown resource URI: '|Method '[^'\n]{1,200}' is not available\.)/,
  },
  { kit: "dotnet", as: "tool", text: /^An error occurred invoking '/ },
  { kit: "java", as: "rpc", text: /^Unknown tool: invalid_tool_name$/ },
  { kit: "java", to: ["unknown-method"], as: "rpc", code: -32601, text: /^Method not found: / },
  { kit: "rust", as: "rpc", code: -32602, text: /^tool not found$|^failed to deserialize parameters: / },
  { kit: "rust", to: ["unknown-method"], as: "rpc", code: -32601, text: /^recourse\/probe$/ },
  // The SDK's own schemas refuse these before any handler: a list of zod's problems.
  {
    kit: "typescript-low",
    to: ["malformed-params"],
    as: "rpc",
    text: /^(?:MCP error -?\d{1,6}: )?\[\s{0,10}\{\s{0,10}"(?:code|expected|origin)":/,
  },
];

/** A name of 4,000 letters makes no sign clearer. */
const MAX_SIGN = 600;

function findKit({ eras }: Recording): ServerKit | undefined {
  const answers = eras.flatMap(({ exchanges }) => exchanges).filter(({ stimulus }) => stimulus !== "concurrent");
  const read = answers.map((exchange) => ({ exchange, text: modelText(exchange.answer).slice(0, MAX_SIGN) }));
  return SIGNS.find((sign) => read.some(({ exchange, text }) => shows(sign, exchange, text)))?.kit;
}

function shows({ to, as, code, text }: KitSign, { stimulus, answer }: RecordedExchange, said: string): boolean {
  if (to?.includes(stimulus) === false) return false;
  if (as === "rpc" && answerError(answer) === undefined) return false;
  if (as === "tool" && !isToolFailure(answer)) return false;
  return (code === undefined || answerCode(answer) === code) && text.test(said);
}

/** Words of command lines, the most telling first. */
const COMMAND_WORDS: readonly (readonly [pattern: RegExp, language: ServerLanguage])[] = [
  [/^(?:python[\d.]{0,5}|uv|uvx|pipx|poetry|pdm|hatch)$|\.pyz?$/, "python"],
  [/^(?:node|npx|npm|pnpm|yarn|bun|bunx|deno|tsx|ts-node)$|\.[cm]?[jt]sx?$/, "typescript"],
  [/^dotnet$|\.(?:dll|csproj)$/, "csharp"],
  [/^(?:java|mvn|gradle|gradlew|jbang)$|\.jar$/, "java"],
  [/^go$|\.go$/, "go"],
  [/^cargo$|\.rs$/, "rust"],
];

/** What programs of a language write to stderr. */
const STDERR_SHAPES: readonly (readonly [pattern: RegExp, language: ServerLanguage])[] = [
  [
    /\bTraceback \(most recent call last\)|\bFile "[^"\n]{1,200}\.py", line \d|\bsite-packages\b|\bdist-packages\b/,
    "python",
  ],
  [/\(node:\d{1,9}\) |\bnode_modules\/|\bnode:internal\//, "typescript"],
  [/\bgoroutine \d{1,9} \[|\.go:\d{1,6}\b/, "go"],
  [/\bUnhandled exception\. System\.|^info: (?:Microsoft|ModelContextProtocol)\./m, "csharp"],
  [/\bException in thread "|\bat (?:java|org|io)\.[\w.$]{1,200}\(/, "java"],
  [/\bthread '[^'\n]{1,80}' panicked at/, "rust"],
];

/** Names in the `server` header. */
const HTTP_SERVERS: readonly (readonly [pattern: RegExp, language: ServerLanguage])[] = [
  [/uvicorn|hypercorn|gunicorn|werkzeug|granian/i, "python"],
  [/kestrel/i, "csharp"],
  [/jetty|tomcat|coyote|netty|undertow/i, "java"],
];

function findLanguage(recording: Recording): ServerLanguage | undefined {
  const { command = [] } = recording.target;
  const words = command.map((word) => word.split(/[\\/]/).at(-1) ?? "").map((word) => word.replace(/\.exe$/i, ""));
  const byCommand = COMMAND_WORDS.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1];
  if (byCommand !== undefined) return byCommand;
  const servers = headerTexts(recording, "server");
  const byHeader = HTTP_SERVERS.find(([pattern]) => servers.some((text) => pattern.test(text)))?.[1];
  if (byHeader !== undefined) return byHeader;
  const stderr = recording.eras.map((era) => era.stderr.slice(0, 20_000)).join("\n");
  const byStderr = STDERR_SHAPES.find(([pattern]) => pattern.test(stderr))?.[1];
  return (
    byStderr ??
    (headerTexts(recording, "x-powered-by").some((text) => /express|next/i.test(text)) ? "typescript" : undefined)
  );
}

/** The values of a header in all answers. */
function headerTexts({ eras }: Recording, name: string): readonly string[] {
  const values = eras.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ answer }) =>
      (answer.kind === "message" || answer.kind === "body") && answer.http !== undefined
        ? (stringAt(answer.http.headers, name) ?? [])
        : [],
    ),
  );
  return [...new Set(values)];
}

/** Without its header, Express still has its own error page. */
function hasExpressPage({ eras }: Recording): boolean {
  return eras.some(({ exchanges }) =>
    exchanges.some(
      ({ answer }) => answer.kind === "body" && /<pre>[^<]{0,400}(?:<br>|<\/pre>)/.test(answer.text.slice(0, 3_000)),
    ),
  );
}
