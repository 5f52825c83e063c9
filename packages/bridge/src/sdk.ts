import { checkArguments } from "@recourse/core/schema";
import { type GuardOptions, guard, isGuarded } from "@recourse/core/server";
import { fromPointer } from "@recourse/core/wire";
import type { JsonSchemaObject } from "./document/schema-keywords.ts";

/** The annotations of a tool; a hint that is not certain is left out. */
export interface Annotations {
  /** A name for people. @default none */
  readonly title?: string;
  /** The tool changes nothing. @default false, by the protocol */
  readonly readOnlyHint?: boolean;
  /** The tool may delete or overwrite something. @default true, by the protocol */
  readonly destructiveHint?: boolean;
  /** Repeating a call has no further effect. @default false, by the protocol */
  readonly idempotentHint?: boolean;
  /** The tool reaches systems outside of the server. @default true, by the protocol */
  readonly openWorldHint?: boolean;
}

/**
 * Makes an input schema in the two forms that the SDKs accept. Version 2 takes a Standard Schema with a JSON Schema, version
 * 1 calls internal functions of a Zod object. Neither library is imported: these are the members that the SDKs read.
 */
export function toSdkSchema(schema: JsonSchemaObject) {
  /** In the form of Standard Schema and Zod, never with a value. */
  const issuesOf = (value: unknown) =>
    checkArguments(value, schema).map(({ pointer, rule, expected }) => ({
      path: fromPointer(pointer),
      message: expected === undefined ? rule : `${rule}: ${expected}`,
    }));
  return {
    "~standard": {
      version: 1,
      vendor: "recourse",
      jsonSchema: { input: () => schema, output: () => schema },
      validate(value: unknown) {
        const issues = issuesOf(value);
        return issues.length === 0 ? { value } : { issues };
      },
    },
    _zod: {
      def: { type: "object", shape: {} },
      // The SDK adds members of its own to the object.
      toJSONSchema: () => ({ ...schema }),
      run(payload: { readonly value: unknown; readonly issues: object[] }) {
        payload.issues.push(...issuesOf(payload.value).map((issue) => ({ ...issue, code: "custom" })));
        return payload;
      },
    },
  };
}

/** The part of an `McpServer`, of SDK 1 or 2, that tools are registered with. */
interface ToolRegistrar {
  registerTool(name: string, config: object, handler: (...args: unknown[]) => unknown): unknown;
}

/** The server, guarded with these options unless it is guarded already. Throws for anything but an `McpServer`. */
export function guardedServer(server: object, options: GuardOptions): ToolRegistrar {
  if (!("registerTool" in server))
    throw new TypeError(
      "register() takes an McpServer of SDK 1 or 2: pass the server that you made with new McpServer(…)",
    );
  if (!isGuarded(server)) guard(server, options);
  return server as ToolRegistrar;
}

/** An answer has to leave this long before the caller's deadline: the guard itself gives up 50 ms before it. */
export const UPSTREAM_ANSWER_MARGIN_MS = 100;
