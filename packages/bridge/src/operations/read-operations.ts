import { entriesOf, type JsonObject, objectAt } from "@recourse/faults/internal-do-not-use";
import { type Document, serverAddresses } from "../document/document.ts";
import { resolvedObject } from "../document/refs.ts";
import { toolNames } from "./names.ts";
import { type HttpMethod, METHOD_FIELDS, type Operation } from "./operation.ts";
import { readOperation, type UnnamedOperation } from "./read-operation.ts";
import {
  type ChangedArgument,
  type OperationsReport,
  operationLabel,
  type RenamedTool,
  type SkippedOperation,
  skippedOperation,
} from "./report.ts";
import { readSecuritySchemes } from "./security.ts";

/** The operations of a document, and a report of what was renamed, skipped and changed. */
export interface ReadOperations {
  readonly operations: readonly Operation[];
  readonly report: OperationsReport;
}

/** Options for reading operations. */
export interface ReadOptions {
  /**
   * A prefix for the name of every tool.
   *
   * @default none
   */
  readonly prefix?: string | undefined;
}

/** Reads the operations of a document. An operation that cannot become a correct tool is skipped, and the report says why. */
export function readOperations(document: Document, { prefix = "" }: ReadOptions = {}): ReadOperations {
  const schemes = readSecuritySchemes(document);
  const servers = serverAddresses(document.root);
  const unnamed: UnnamedOperation[] = [];
  const skips: SkippedOperation[] = [];
  const changes: ChangedArgument[] = [];
  for (const [path, node] of entriesOf(objectAt(document.root, "paths")).filter(([key]) => !key.startsWith("x-"))) {
    const pathItem = resolvedObject(document, node);
    if (pathItem === undefined) skips.push(skippedOperation(operationLabel("", path), "unreadable"));
    for (const { field, method, operation } of methodFields(pathItem)) {
      const read = readOperation({ document, schemes, servers, path, pathItem, method, operation });
      if (read.ok) unnamed.push(read.operation);
      else skips.push(skippedOperation(operationLabel(field, path), read.code));
      if (read.ok) changes.push(...read.changes);
    }
  }
  const names = toolNames(unnamed, { prefix });
  const operations = unnamed.map((one, index) => ({ ...one, name: names[index] ?? "" }));
  return { operations, report: { renamed: operations.flatMap(renamed), skipped: skips, changed: changes } };
}

function renamed({ name, id, method, path }: Operation): readonly RenamedTool[] {
  return name === id ? [] : [{ operation: operationLabel(method, path), from: id, to: name }];
}

interface MethodField {
  readonly field: string;
  /** Undefined for methods that are not offered as tools. */
  readonly method: HttpMethod | undefined;
  readonly operation: JsonObject;
}

function methodFields(pathItem: JsonObject | undefined): readonly MethodField[] {
  return Object.entries<HttpMethod | undefined>(METHOD_FIELDS).flatMap(([field, method]) => {
    const operation = objectAt(pathItem, field);
    return operation === undefined ? [] : [{ field, method, operation }];
  });
}
