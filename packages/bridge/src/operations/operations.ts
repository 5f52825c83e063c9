import type { Document } from "../document/document.ts";
import { entriesOf, type Json, objectAt } from "../document/json.ts";
import { resolvedObject } from "../document/refs.ts";
import { serversIn } from "../document/servers.ts";
import { METHOD_FIELDS } from "./methods.ts";
import { toolNames } from "./names.ts";
import type { Method, Operation } from "./operation.ts";
import { readOperation, type Unnamed } from "./read-operation.ts";
import { type Changed, labelOf, type Renamed, type Report, type Skipped, skipped } from "./report.ts";
import { schemesOf } from "./security.ts";

/** The operations of a document, as tools, and what happened to them on the way. */
export interface Operations {
  readonly operations: readonly Operation[];
  readonly report: Report;
}

/** What reading operations may be told. */
export interface OperationsOptions {
  /** Stands before the name of every tool. */
  readonly prefix?: string | undefined;
}

/** Reads the operations of a document. One that cannot become a right tool becomes none, and the report says why. */
export function operationsOf(document: Document, { prefix = "" }: OperationsOptions = {}): Operations {
  const schemes = schemesOf(document);
  const servers = serversIn(document.root);
  const unnamed: Unnamed[] = [];
  const skips: Skipped[] = [];
  const changes: Changed[] = [];
  for (const [path, node] of entriesOf(objectAt(document.root, "paths")).filter(([key]) => !key.startsWith("x-"))) {
    const pathItem = resolvedObject(document, node);
    if (pathItem === undefined) skips.push(skipped(labelOf("", path), "unreadable"));
    for (const { field, method, operation } of fieldsOf(pathItem)) {
      const read = readOperation({ document, schemes, servers, path, pathItem, method, operation });
      if (read.ok) unnamed.push(read.operation);
      else skips.push(skipped(labelOf(field, path), read.why));
      if (read.ok) changes.push(...read.changes);
    }
  }
  const names = toolNames(unnamed, { prefix });
  const operations = unnamed.map((one, index) => ({ ...one, name: names[index] ?? "" }));
  return { operations, report: { renamed: operations.flatMap(renamed), skipped: skips, changed: changes } };
}

function renamed({ name, id, method, path }: Operation): readonly Renamed[] {
  return name === id ? [] : [{ operation: labelOf(method, path), from: id, to: name }];
}

interface Field {
  readonly field: string;
  /** Undefined where the method is not offered. */
  readonly method: Method | undefined;
  readonly operation: Json;
}

function fieldsOf(pathItem: Json | undefined): readonly Field[] {
  return Object.entries<Method | undefined>(METHOD_FIELDS).flatMap(([field, method]) => {
    const operation = objectAt(pathItem, field);
    return operation === undefined ? [] : [{ field, method, operation }];
  });
}
