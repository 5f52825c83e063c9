// Failures as servers of the official SDK really send them, replayed: leaks, lost codes and odd shapes included.
import type { Json } from "../../../dialects/wire.ts";
import { after, answer, before, type HttpMisbehaviour, JSON_TYPE, type Turn } from "./turn.ts";

/** Planted in every replay that leaks, so that a test can look for it. */
export const SECRET = "postgres://user:hunter2@db.internal/prod";

/** A failure to replay. */
export interface Replay {
  readonly about: string;
  /** The result or the error that takes the place of the honest one. */
  readonly wire: { readonly result: Json } | { readonly error: Json };
  /** Whether the tool has run. */
  readonly ran: boolean;
}

const said = (about: string, text: string, ran = true): Replay => ({
  about,
  wire: { result: { resultType: "complete", content: [{ type: "text", text }], isError: true } },
  ran,
});
const refused = (about: string, error: Json): Replay => ({ about, wire: { error }, ran: false });

const ZOD = JSON.stringify([
  { expected: "string", code: "invalid_type", path: ["params", "cursor"], message: "Invalid input" },
]);

/** The failures by name, as parts of a JSON-RPC reply. */
export const WIRES = {
  "replay-thrown-error": said("A tool threw: its message, secret and all, is the text.", `secret: ${SECRET}`),
  "replay-thrown-string": said("A tool threw a string: it is the text.", SECRET),
  "replay-thrown-cause": said("A tool threw an error with a cause: only the outer message is told.", "outer"),
  "replay-refinement-leak": said("A schema's own check threw: its message is the text.", SECRET, false),
  "replay-capability-lost": said(
    "A tool threw that the client lacks a capability: code and data are lost.",
    "Missing required client capability",
  ),
  "replay-thrown-null": said("A tool threw null.", "null"),
  "replay-thrown-object": said("A tool threw an object.", "[object Object]"),
  "replay-protocol-error-v2": said("A tool threw a protocol error: version 2 loses code and data.", "Quota exceeded"),
  "replay-protocol-error-v1": said(
    "A tool threw a protocol error: version 1 keeps the code in the text alone.",
    "MCP error -32602: Quota exceeded",
  ),
  "replay-bad-arguments-v2": said(
    "Wrong arguments, as version 2 tells them.",
    "Input validation error: Invalid arguments for tool charge: amount: Invalid input: expected number, received undefined",
    false,
  ),
  "replay-bad-arguments-v1": said(
    "Wrong arguments, as version 1 tells them.",
    "MCP error -32602: Input validation error: Invalid arguments for tool charge: ✖ Invalid input: expected number, received undefined\n  → at amount",
    false,
  ),
  "replay-unknown-tool-v2": refused("An unknown tool, as version 2 tells it.", {
    code: -32602,
    message: "Tool charge not found",
  }),
  "replay-unknown-tool-v1": said(
    "An unknown tool, as version 1 tells it.",
    "MCP error -32602: Tool charge not found",
    false,
  ),
  "replay-disabled-tool": refused("A disabled tool.", { code: -32602, message: "Tool charge disabled" }),
  "replay-disabled-tool-v1": said(
    "A disabled tool, as version 1 tells it.",
    "MCP error -32602: Tool charge disabled",
    false,
  ),
  "replay-prototype-tool": refused("A tool named like a member of every object.", {
    code: -32602,
    message: "Tool constructor disabled",
  }),
  "replay-off-schema": {
    about: "A failure whose structured content does not fit the tool's output schema.",
    wire: {
      result: {
        resultType: "complete",
        content: [{ type: "text", text: "Failed." }],
        structuredContent: { failed: true },
        isError: true,
      },
    },
    ran: true,
  },
  "replay-output-invalid": said(
    "The tool ran, but its result is not what it promised.",
    "Output validation error: Tool charge has an output schema but no structured content was provided",
  ),
  "replay-output-invalid-v1": said(
    "The same, as version 1 tells it.",
    "MCP error -32602: Output validation error: Tool charge has an output schema but no structured content was provided",
  ),
  "replay-undefined-result": said(
    "A handler returned nothing.",
    "Cannot read properties of undefined (reading 'structuredContent')",
  ),
  "replay-malformed-result": {
    ...refused("A handler returned something that is no result.", {
      code: -32602,
      message: `Invalid tools/call result: ${ZOD}`,
    }),
    ran: true,
  },
  "replay-driver-error": refused("A database driver's error: code, message and data leak.", {
    code: 1045,
    message: `ER_ACCESS_DENIED_ERROR: ${SECRET}`,
    data: { sql: `select '${SECRET}'` },
  }),
  "replay-reserved-code": refused("A code that the protocol reserves and does not define.", {
    code: -32050,
    message: "Reserved",
  }),
  "replay-internal-leak": refused("A resource or prompt threw: its message is the error's.", {
    code: -32603,
    message: SECRET,
  }),
  "replay-url-elicitation": refused("The user has to open a link first.", {
    code: -32042,
    message: "Open the link first.",
    data: { elicitations: [{ mode: "url", elicitationId: "e1", url: "https://example.com/ok", message: "Open it." }] },
  }),
  "replay-url-elicitation-modern": refused("The same, thrown in a revision that has no code for it.", {
    code: -32603,
    message: "URL elicitation cannot be signalled by throwing in this protocol revision",
  }),
  "replay-resource-missing-v2": refused("A missing resource, as version 2 tells it.", {
    code: -32602,
    message: "Resource not found: res://none",
    data: { uri: "res://none" },
  }),
  "replay-resource-missing-v1": refused("A missing resource, as version 1 tells it.", {
    code: -32602,
    message: "MCP error -32602: Resource res://none not found",
  }),
  "replay-resource-missing-old": refused("A missing resource, as older revisions tell it.", {
    code: -32002,
    message: "Resource not found",
    data: { uri: "res://none" },
  }),
  "replay-bad-uri-v2": refused("A URI that is none, as version 2 tells it.", {
    code: -32602,
    message: "Invalid URI",
    data: { uri: "not a uri", reason: "invalid_uri" },
  }),
  "replay-bad-uri-v1": refused("A URI that is none, as version 1 tells it.", { code: -32603, message: "Invalid URL" }),
  "replay-method-not-found": refused("An unknown method, told with status 200.", {
    code: -32601,
    message: "Method not found",
  }),
  "replay-unknown-prompt": refused("An unknown prompt.", { code: -32602, message: "Prompt nowhere not found" }),
  "replay-zod-params": refused("Wrong parameters, told in a validator's own words.", { code: -32602, message: ZOD }),
  "replay-zod-internal": refused("Wrong parameters, told as an internal error.", { code: -32603, message: ZOD }),
  "replay-request-state": refused("State that was tampered with.", {
    code: -32602,
    message: "Invalid or expired requestState",
    data: { reason: "invalid" },
  }),
} as const satisfies Record<string, Replay>;

/** Each failure as an HTTP reply. */
export const REPLAYS = Object.fromEntries(
  Object.entries<Replay>(WIRES).map(([name, { about, wire, ran }]) => {
    const act = (turn: Turn) =>
      answer(turn, 200, JSON_TYPE, JSON.stringify({ jsonrpc: "2.0", id: turn.ask.id, ...wire }));
    return [name, ran ? after(about, act) : before(about, act)];
  }),
) as Record<keyof typeof WIRES, HttpMisbehaviour>;
