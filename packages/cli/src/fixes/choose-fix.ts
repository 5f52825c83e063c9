import {
  EXPRESS_EDGE_FIX,
  type Fix,
  GUARD_FIX,
  NODE_EDGE_FIX,
  type ProbeCheck,
  STDIN_FIX,
  STDOUT_FIX,
} from "../checks/check.ts";
import type { RecordedTarget, Recording } from "../recording/recording.ts";
import { ADVICE } from "./advice.ts";
import { findLanguageFix } from "./by-language.ts";
import { type AnswerLayer, answerLayer, HAS_OPTIONS } from "./fix-calls.ts";
import { detectServerKind, SERVER_KITS, type ServerKind, type ServerKit } from "./server-kind.ts";

/** What fixes a finding on one server, and who causes it there. */
export interface ChosenFix {
  readonly fix: Fix;
  /** The author of the server, or the SDK under it. */
  readonly source: "yours" | "sdk";
}

/**
 * The fix of a check that fits the server of a recording: its language and SDK, its transport, and the place where the answers
 * come from. `evidence` names the exchanges that show the finding; without it, the fix covers every place that the check is about.
 */
export function chooseFix(check: ProbeCheck, recording: Recording, evidence: readonly string[] = []): ChosenFix {
  const kind = detectServerKind(recording);
  const source = findSource(check, kind);
  const advice = ADVICE[check.id] ?? check.title;
  if (kind.language === undefined) return { source, fix: fixUnknown(check, advice, recording.target) };
  if (kind.language !== "typescript") return { source, fix: fixForeign(check, advice, kind, source) };
  const layers = answerLayers(recording, evidence);
  return { source, fix: fixTypescript(check, { advice, kind, layers, transport: recording.target.transport }) };
}

/** Findings that a low-level server inherits from its SDK. The rest of its answers is written by its author. */
const LOW_LEVEL: readonly string[] = [
  "invalid-params-code",
  "message-sentence",
  "message-prefix",
  "invalid-request-answered",
  "parse-error-answered",
  "line-limit",
  "utf8-refused",
  "code-legacy-range",
];

/** What the Python SDK answers before a handler is reached. */
const PYTHON_EDGE: readonly string[] = [
  "unknown-method-code",
  "leak-echo-secret",
  "deep-json",
  "http-no-5xx",
  "http-error-json",
  "http-status",
];
const PYTHON_CAUSES: readonly string[] = [
  ...PYTHON_EDGE,
  "resource-not-found-code",
  "prompt-not-found-code",
  "completion-ref-code",
];

/** Findings that come with a kit beside those that come with every SDK. Seen on servers without any code of their own. */
const KIT_CAUSES: Readonly<Partial<Record<ServerKit, readonly string[]>>> = {
  "typescript-fastmcp": ["unknown-tool-code", "args-channel", "leak-echo-secret"],
  "python-fastmcp": PYTHON_CAUSES,
  "python-standalone": PYTHON_CAUSES,
  "python-low": [...PYTHON_EDGE, "args-name-field", "args-name-all"],
};

function findSource({ id, source }: ProbeCheck, { kit, language }: ServerKind): ChosenFix["source"] {
  if (language === undefined) return source;
  // Without a sign of an SDK the answers are the author's.
  if (kit === undefined) return "yours";
  if (KIT_CAUSES[kit]?.includes(id) === true) return "sdk";
  const isLow = kit === "typescript-low" || kit === "python-low";
  return source === "sdk" && (!isLow || LOW_LEVEL.includes(id)) ? "sdk" : "yours";
}

/**
 * Findings that stay when the gateway stands in front: they are about the program, about what it lists, about results that the
 * gateway passes on, or they keep the gateway itself from talking to the server. The rest is gone when servers with these defects
 * are probed through it, which a test does.
 */
const BEHIND_GATEWAY: ReadonlySet<string> = new Set([
  "annotations-present",
  "annotations-consistent",
  "schema-valid",
  "capabilities-honest",
  "args-refused",
  "unknown-key-refused",
  "output-matches-schema",
  "false-green",
  "prompt-argument-code",
  "leak-environment",
  "id-kept",
  "version-negotiated",
  "resource-failure-channel",
  "no-hang",
  "no-crash",
  "stdout-clean",
  "line-limit",
  "exit-on-close",
  "auth-challenge",
  "auth-invalid-401",
  "auth-opaque",
  "auth-metadata",
  "retry-after",
  "args-limits",
  "result-form",
  "lists-complete",
  "tool-names",
  "children-end",
]);

const GATEWAY_TEXT = "The gateway of Recourse does it for any server that stands behind it: `recourse init`.";

/** What to do on a server that `guard` does not fit. */
function adviseGateway(text: string, { id }: ProbeCheck): Fix {
  return id in ADVICE && !BEHIND_GATEWAY.has(id) ? { text: `${text} ${GATEWAY_TEXT}`, gateway: true } : { text };
}

/** Functions of Recourse that the code of a fix calls, and where the answers come from that they change. */
const OWN_CALLS = /\bguard(?:Handler|Stdin|Stdout)?\(/;

function fixUnknown(check: ProbeCheck, advice: string, { transport }: RecordedTarget): Fix {
  if (check.fix.code === undefined || !OWN_CALLS.test(check.fix.code)) return check.fix;
  const call = transport === "stdio" && /\bguardStd(?:in|out)\(/.exec(check.fix.code)?.[0];
  const name = call ? call.slice(0, -1) : (OWN_CALLS.exec(check.fix.code)?.[0].slice(0, -1) ?? "guard");
  return adviseGateway(`${advice} If it is written with the TypeScript SDK, \`${name}\` does it.`, check);
}

/** A server in another language than TypeScript. */
function fixForeign(check: ProbeCheck, advice: string, kind: ServerKind, source: ChosenFix["source"]): Fix {
  const written = findLanguageFix(check.id, kind.language, kind.kit);
  if (written !== undefined && source === "yours") return written;
  const who =
    source === "sdk" && kind.kit !== undefined
      ? `This is how ${SERVER_KITS[kind.kit].name} answers, not your code.`
      : undefined;
  return adviseGateway(who === undefined ? advice : `${who} What is asked for: ${advice}`, check);
}

/** What a fix in TypeScript is made of. */
interface TypescriptContext {
  readonly advice: string;
  readonly kind: ServerKind;
  /** Where the answers come from. */
  readonly layers: ReadonlySet<AnswerLayer>;
  readonly transport: RecordedTarget["transport"];
}

function fixTypescript(check: ProbeCheck, context: TypescriptContext): Fix {
  const { code = "", text } = check.fix;
  const { advice, kind, transport } = context;
  // What is more than a call, such as an option, is the author's to fill in.
  if (!OWN_CALLS.test(code) || HAS_OPTIONS.test(code)) return check.fix;
  if (kind.kit === undefined)
    return adviseGateway(`${advice} On a server of the official SDK, \`guard\` does it.`, check);
  if (/\bguardStdout\(/.test(code)) return { text, code: STDOUT_FIX };
  const calls = neededCalls(code, context);
  if (calls.length === 0) return adviseGateway(advice, check);
  if (kind.isGuarded && calls.includes("guard"))
    return {
      text: `${advice} This server is guarded, so these are the words of a handler, which the guard shows without their secrets, or the answer is written past the guard: by a handler that sends messages itself, or by what stands in front of the server.`,
    };
  if (kind.kit === "typescript-fastmcp" && calls.includes("guard")) return fixFastMcp(check, advice);
  const parts = calls.map((call) => CALL_CODE[call](context, check));
  // A line of the first part may be an import of the second: each part stands for itself.
  const names = calls.map((call) => CALL_NAMES[call][transport]).join(" and ");
  return { text: `${advice} ${names} ${calls.length > 1 ? "do" : "does"} it.`, code: parts.join("\n\n") };
}

/** The calls that fix a finding: `guard` for answers of the server, `edge` for what is answered before it is reached. */
type GuardCall = "guard" | "edge";

function neededCalls(code: string, { layers, transport }: TypescriptContext): readonly GuardCall[] {
  const named: GuardCall[] = [
    ...(/\bguard\(/.test(code) ? ["guard" as const] : []),
    ...(EDGE_CALLS[transport].test(code) ? ["edge" as const] : []),
  ];
  const needed: GuardCall[] = [
    ...(layers.has("server") ? ["guard" as const] : []),
    ...(layers.has("edge") ? ["edge" as const] : []),
  ];
  // A check of which only the edge is known to fix something stays with it.
  const both = needed.filter((call) => named.includes(call) || call === "edge");
  return both.length > 0 ? both : named;
}

/** The call that guards the edge of a transport. The other one does nothing there. */
const EDGE_CALLS = {
  stdio: /\bguardStdin\(/,
  http: /\bguardHandler\(/,
} as const satisfies Record<RecordedTarget["transport"], RegExp>;

const CALL_NAMES = {
  guard: { stdio: "`guard`", http: "`guard`" },
  edge: { stdio: "`guardStdin`", http: "`guardHandler`" },
} as const satisfies Record<GuardCall, Record<RecordedTarget["transport"], string>>;

const CALL_CODE: Readonly<Record<GuardCall, (context: TypescriptContext, check: ProbeCheck) => string>> = {
  guard: ({ kind }, { category }) => {
    if (kind.kit !== "typescript-low") return GUARD_FIX;
    // The handlers of a low-level server get arguments that were not checked.
    return category === "validation" ? GUARD_LOW_LEVEL_ARGUMENTS : GUARD_LOW_LEVEL;
  },
  edge: ({ transport, kind }) => {
    if (transport === "stdio") return kind.kit === "typescript-2" ? STDIN_FIX : STDIN_FIX_1;
    if (kind.kit === "typescript-2") return kind.hasExpress ? EXPRESS_EDGE_FIX : NODE_EDGE_FIX;
    return kind.hasExpress ? EXPRESS_EDGE_FIX_1 : NODE_EDGE_FIX_1;
  },
};

const GUARD_LOW_LEVEL = `import { guard } from "@recourse/faults/server";

const server = guard(new Server({ name: "orders", version: "1.0.0" }, { capabilities: { tools: {} } }));`;

const GUARD_LOW_LEVEL_ARGUMENTS = `import { guard } from "@recourse/faults/server";

const orders = new Server({ name: "orders", version: "1.0.0" }, { capabilities: { tools: {} } });
const server = guard(orders, { checkArguments: true });`;

/** The same for SDK 1.x, which connects a transport itself. */
const STDIN_FIX_1 = `import { guardStdin } from "@recourse/faults/server";

guardStdin(); // before the transport starts
await server.connect(new StdioServerTransport());`;

/** SDK 1.x: its web-standard transport can be guarded, the one for Node cannot. */
const HANDLER_1 = `const handler = guardHandler(async (request, extra) => {
  const transport = new WebStandardStreamableHTTPServerTransport();
  await createServer().connect(transport);
  return transport.handleRequest(request, extra);
});`;

const NODE_EDGE_FIX_1 = `import { guardHandler, toNodeListener } from "@recourse/faults/server";

${HANDLER_1}
createHttpServer(toNodeListener(handler));`;

const EXPRESS_EDGE_FIX_1 = `import { edgeErrorHandler, guardHandler, toNodeListener } from "@recourse/faults/server";

${HANDLER_1}
app.all("/mcp", toNodeListener(handler));
app.use("/mcp", edgeErrorHandler());`;

/** Findings about what the function of a tool throws: the only part of FastMCP that can be guarded. */
const TOOL_FUNCTION: ReadonlySet<string> = new Set([
  "leak-credential",
  "leak-path",
  "leak-network",
  "leak-sql",
  "leak-runtime-text",
  "leak-stack",
  "failure-machine-readable",
  "message-says-something",
  "error-has-text",
  "error-size",
  "retry-hint",
]);

function fixFastMcp(check: ProbeCheck, advice: string): Fix {
  if (!TOOL_FUNCTION.has(check.id))
    return adviseGateway(`${advice} FastMCP answers this before your code runs.`, check);
  return {
    text: `${advice} \`guardTool\` does it for what the function of a tool throws.`,
    code: `import { guardTool } from "@recourse/faults/server";

server.addTool({ name: "get_order", parameters, execute: guardTool("get_order", getOrder) });`,
  };
}

/** Where the answers come from that show a finding. */
function answerLayers({ eras, target }: Recording, evidence: readonly string[]): ReadonlySet<AnswerLayer> {
  const named = new Set(evidence);
  const shown = eras.flatMap(({ exchanges }) => exchanges).filter(({ id }) => named.has(id));
  return new Set(shown.map((exchange) => answerLayer(exchange, target.transport)));
}
