// Errors that their author addressed to the caller, recognised by their shape and without running their code.
import { classNamesOf, peek, peekInteger, peekString } from "../../errors/peek.ts";
import { FaultError } from "../../fault/error.ts";
import { isSdkError } from "../../sdk/errors.ts";
import { validation_failed } from "../library/core.ts";
import { isAccidental } from "./accidental.ts";
import { callerCodeStatus, callerStatusBuilder } from "./caller-status.ts";
import { chainOf } from "./chain.ts";
import { type FaultBuilder, withoutParams } from "./error-matcher.ts";
import { matchSdkError } from "./sdk.ts";

/** An error that its author addressed to the caller. */
export interface PublicError {
  /** Builds the fault that its status or code means. */
  readonly build: FaultBuilder;
  /** The sentence of its author; undefined where the error has none, or only repeats another error. */
  readonly text: string | undefined;
}

/** What a shape says about an error. */
interface Shape {
  readonly build: FaultBuilder | undefined;
  readonly text: string | undefined;
}

type ShapeReader = (error: unknown, names: readonly string[]) => Shape | undefined;

/** Codes of the protocol that blame the caller. Any text may stand under the others, above all under -32603. */
const PUBLIC_CODES = [-32600, -32601, -32602, -32002];

const byStatus = (error: unknown, status: number | undefined): Shape => ({
  build: callerStatusBuilder(status),
  text: peekString(error, "message"),
});

/** The shapes of public errors. The first that knows an error decides. */
const SHAPES = {
  /** Errors of the official SDK, versions 1 and 2. */
  protocol: (error) => {
    const code = peekInteger(error, "code") ?? 0;
    if (!isSdkError(error, "McpError") && !isSdkError(error, "ProtocolError")) return undefined;
    return { build: PUBLIC_CODES.includes(code) ? matchSdkError(error) : undefined, text: sdkText(error, code) };
  },
  /** `boomify` makes a Boom of any error, whose text is then somebody else's. Boom marks those that it creates itself. */
  boom: (error) => {
    if (peek(error, "isBoom") !== true) return undefined;
    const output = peek(error, "output");
    const shape = byStatus(error, peekInteger(output, "statusCode"));
    const isCreated = typeof peek(error, "typeof") === "function";
    return { ...shape, text: isCreated ? (peekString(peek(output, "payload"), "message") ?? shape.text) : undefined };
  },
  trpc: (error) => {
    if (peekString(error, "name") !== "TRPCError") return undefined;
    return byStatus(error, callerCodeStatus(peekString(error, "code")));
  },
  graphql: (error, names) => {
    if (!names.includes("GraphQLError")) return undefined;
    const isWrapped = peek(error, "originalError") !== undefined;
    const code = callerCodeStatus(peekString(peek(error, "extensions"), "code"));
    return byStatus(error, isWrapped ? undefined : code);
  },
  fastify: (error) => {
    const isFastify = peekString(error, "name") === "FastifyError" || /^FST_/.test(peekString(error, "code") ?? "");
    return isFastify ? byStatus(error, peekInteger(error, "statusCode")) : undefined;
  },
  hono: (error, names) => {
    return names.includes("HTTPException") ? byStatus(error, peekInteger(error, "status")) : undefined;
  },
  /** It has no status: its author only says that the text is for the caller. */
  fastmcp: (error, names) => {
    if (!names.includes("UserError") || !names.includes("FastMCPError")) return undefined;
    return { build: withoutParams(validation_failed), text: peekString(error, "message") };
  },
  /** http-errors, and with it Koa and Express. */
  exposed: (error) => {
    if (peek(error, "expose") !== true) return undefined;
    return byStatus(error, peekInteger(error, "status") ?? peekInteger(error, "statusCode"));
  },
} as const satisfies Record<string, ShapeReader>;

/** The public error that was thrown; undefined for any other value. Its causes do not count. */
export function publicErrorOf(thrown: unknown): PublicError | undefined {
  if (typeof thrown !== "object" || thrown === null) return undefined;
  const names = classNamesOf(thrown);
  for (const read of Object.values(SHAPES) as readonly ShapeReader[]) {
    const shape = read(thrown, names);
    if (shape === undefined) continue;
    if (shape.build === undefined || isAccidental(thrown)) return undefined;
    const text = shape.text === "" || repeatsCause(thrown, shape.text) ? undefined : shape.text;
    return { build: shape.build, text };
  }
  return undefined;
}

/** The text of an error of the SDK as its author wrote it: version 1 puts the code before it. */
export function sdkText(error: unknown, code: number): string | undefined {
  const prefix = `MCP error ${code}: `;
  let text = peekString(error, "message");
  while (text?.startsWith(prefix) === true) text = text.slice(prefix.length);
  return text;
}

/** A shorter message of a cause may stand in a sentence by chance. */
const MIN_REPEATED = 4;

/** Whether a text contains the message of one of the causes: TRPCError copies it, and so do many authors. */
function repeatsCause(thrown: unknown, text: string | undefined): boolean {
  return chainOf(thrown).some((error) => {
    if (error === thrown || FaultError.is(error)) return false;
    const message = typeof error === "string" ? error : peekString(error, "message");
    if (message === undefined || text === undefined) return false;
    return text === message || (message.length >= MIN_REPEATED && text.includes(message));
  });
}
