import { fromPointer } from "@recourse/faults/internal-do-not-use";
import { checkArguments } from "@recourse/faults/server";
import type { JsonSchema } from "../document/schema/convert.ts";

/** An issue in the form of Standard Schema and Zod. It never contains a value. */
interface SchemaIssue {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * An input schema in the two forms that the SDKs accept. Version 2 takes a Standard Schema with a JSON Schema, version 1
 * calls internal functions of a Zod object. Neither library is imported: these are the members that the SDKs read.
 */
export interface SdkSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "recourse";
    readonly jsonSchema: { input(): JsonSchema; output(): JsonSchema };
    validate(value: unknown): { readonly value: unknown } | { readonly issues: readonly SchemaIssue[] };
  };
  readonly _zod: {
    readonly def: { readonly type: "object"; readonly shape: Readonly<Record<string, never>> };
    toJSONSchema(): JsonSchema;
    run(payload: ZodPayload): ZodPayload;
  };
}

/** The value and issues that Zod passes through a schema. */
interface ZodPayload {
  readonly value: unknown;
  readonly issues: object[];
}

/** Makes an input schema for both versions of the SDK. */
export function toSdkSchema(schema: JsonSchema): SdkSchema {
  const issuesOf = (value: unknown): readonly SchemaIssue[] =>
    checkArguments(value, schema).map(({ pointer, rule, expected }) => ({
      path: fromPointer(pointer),
      message: expected === undefined ? rule : `${rule}: ${expected}`,
    }));
  return {
    "~standard": {
      version: 1,
      vendor: "recourse",
      jsonSchema: { input: () => schema, output: () => schema },
      validate(value) {
        const issues = issuesOf(value);
        return issues.length === 0 ? { value } : { issues };
      },
    },
    _zod: {
      def: { type: "object", shape: {} },
      // The SDK adds members of its own to the object.
      toJSONSchema: () => ({ ...schema }),
      run(payload) {
        payload.issues.push(...issuesOf(payload.value).map((issue) => ({ ...issue, code: "custom" })));
        return payload;
      },
    },
  };
}
