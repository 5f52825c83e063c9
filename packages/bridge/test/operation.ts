import type { Operation } from "../src/operations/operation.ts";
import { readOperations } from "../src/operations/read-operations.ts";

/** The only operation of a test document. */
export function operationAt(path: string, method: string, node: object, more: object = {}): Operation {
  const root = { openapi: "3.1.0", paths: { [path]: { [method]: node } }, ...more };
  const { operations, report } = readOperations({ version: "3.1", root });
  const [operation] = operations;
  if (operation === undefined) throw new Error(`no operation: ${JSON.stringify(report.skipped)}`);
  return operation;
}

/** An operation with these parameters. */
export function withParameters(path: string, ...parameters: readonly object[]): Operation {
  const all = parameters.map((one) => ({
    schema: {},
    ...("in" in one && one.in === "path" && { required: true }),
    ...one,
  }));
  return operationAt(path, "get", { parameters: all });
}

/** An operation with this body. */
export function withBody(type: string, media: object, { method = "post", required = true } = {}): Operation {
  return operationAt("/a", method, { requestBody: { required, content: { [type]: media } } });
}
