import { chooseCredentials } from "../credentials/choose.ts";
import type { Document } from "../document/document.ts";
import type { Operation } from "../operations/operation.ts";
import { operationsOf } from "../operations/operations.ts";
import { labelOf, type Report, type Skipped, skipped } from "../operations/report.ts";
import { schemesOf } from "../operations/security.ts";
import type { OpenapiOptions } from "./options.ts";
import { ownServer } from "./server.ts";
import type { ToolParts } from "./tools.ts";

/** What happened to the operations of a document on the way to tools. */
export interface BridgeReport extends Report {
  /** Tools that ask for a credential which is not among those given; calls of them fail. */
  readonly uncredentialed: readonly string[];
}

/** Reads what the tools of a document are made of. */
export function toolPartsOf(
  document: Document,
  server: URL,
  options: OpenapiOptions,
): { readonly parts: readonly ToolParts[]; readonly report: BridgeReport } {
  const { operations, report } = operationsOf(document, { prefix: options.prefix });
  const wanted = operations.filter((operation) => options.include?.(operation) ?? true);
  const secured = {
    credentials: options.credential,
    schemes: schemesOf(document),
    isDeclared: operations.some(({ security }) => security.length > 0),
  };
  const parts: ToolParts[] = [];
  const elsewhere: Skipped[] = [];
  for (const operation of wanted) {
    const at = serverFor(operation, server, options.servers ?? []);
    if (at === undefined) elsewhere.push(skipped(labelOf(operation.method, operation.path), "server"));
    else {
      const uses = chooseCredentials(operation, secured);
      parts.push({ operation, server: at, uses, text: options.text ?? "declared" });
    }
  }
  const uncredentialed = parts.filter(({ uses }) => uses === undefined).map(({ operation }) => operation.name);
  return { parts, report: { ...report, skipped: [...report.skipped, ...elsewhere], uncredentialed } };
}

/** The base address of an operation; undefined when it has one of its own that is not allowed. */
function serverFor(operation: Operation, server: URL, allowed: readonly string[]): URL | undefined {
  return operation.server === undefined ? server : ownServer(operation.server, allowed);
}
