import { checkArguments } from "@recourse/faults/server";
import type { JsonSchema } from "../document/schema/walk.ts";

/** A problem as validators tell it: where and what, without any value. */
interface Told {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * An input schema in the two forms that the SDK knows: version 2 takes a Standard Schema that tells its JSON Schema,
 * version 1 calls the inner functions of a Zod object. Neither is imported: these are the members that they look at.
 */
export interface PeerSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "recourse";
    readonly jsonSchema: { input(): JsonSchema; output(): JsonSchema };
    validate(value: unknown): { readonly value: unknown } | { readonly issues: readonly Told[] };
  };
  readonly _zod: {
    readonly def: { readonly type: "object"; readonly shape: Readonly<Record<string, never>> };
    toJSONSchema(): JsonSchema;
    run(payload: Payload): Payload;
  };
}

/** What Zod hands through a schema. */
interface Payload {
  readonly value: unknown;
  readonly issues: object[];
}

/** Makes an input schema for either version of the SDK. */
export function peerSchema(schema: JsonSchema): PeerSchema {
  const told = (value: unknown): readonly Told[] =>
    checkArguments(value, schema).map(({ pointer, rule, expected }) => ({
      path: pointer.split("/").slice(1).map(unescaped),
      message: expected === undefined ? rule : `${rule}: ${expected}`,
    }));
  return {
    "~standard": {
      version: 1,
      vendor: "recourse",
      jsonSchema: { input: () => schema, output: () => schema },
      validate(value) {
        const issues = told(value);
        return issues.length === 0 ? { value } : { issues };
      },
    },
    _zod: {
      def: { type: "object", shape: {} },
      // Its readers add members of their own.
      toJSONSchema: () => ({ ...schema }),
      run(payload) {
        payload.issues.push(...told(payload.value).map((one) => ({ ...one, code: "custom" })));
        return payload;
      },
    },
  };
}

function unescaped(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
