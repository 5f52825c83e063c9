import type { Document } from "../document/document.ts";
import { arrayAt, type Json, stringAt } from "../document/json.ts";
import { serversIn } from "../document/servers.ts";
import { toText } from "../document/text.ts";
import { argumentNames } from "./arguments.ts";
import { bodyOf } from "./body.ts";
import { describe } from "./describe.ts";
import { inputSchemaOf } from "./input-schema.ts";
import { ANNOTATIONS, takesBody } from "./methods.ts";
import type { Argument, Method, Operation } from "./operation.ts";
import { parametersOf } from "./parameters.ts";
import { type Changed, changed, labelOf, type Skipped } from "./report.ts";
import { acceptOf, responsesOf } from "./responses.ts";
import { type SecurityScheme, securityOf } from "./security.ts";
import { parametersIn, segmentsOf } from "./template.ts";

/** More than any model fills in; a hostile document could have any number. */
const MOST_ARGUMENTS = 256;

/** An operation whose name depends on the others. */
export type Unnamed = Omit<Operation, "name">;

/** An operation where the document describes it. */
export interface OperationSource {
  readonly document: Document;
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** The addresses of the document as a whole. */
  readonly servers: readonly string[];
  readonly path: string;
  readonly pathItem: Json | undefined;
  readonly method: Method | undefined;
  readonly operation: Json;
}

/** An operation that was read, or why it was not. */
export type ReadOperation =
  | { readonly ok: true; readonly operation: Unnamed; readonly changes: readonly Changed[] }
  | { readonly ok: false; readonly why: Skipped["why"] };

/** Reads one operation. */
export function readOperation(source: OperationSource): ReadOperation {
  const { document, path, method, operation: node } = source;
  if (method === undefined) return { ok: false, why: "method" };
  const segments = segmentsOf(path);
  if (segments === undefined) return { ok: false, why: "unsafe_path" };
  const inPath = parametersIn(segments);
  const read = parametersOf({ ...source, operation: node, inPath });
  if (!read.ok) return { ok: false, why: "parameter" };
  const inside = new Set(
    read.parameters.filter(({ argument }) => argument.in === "path").map((one) => one.argument.key),
  );
  if (inside.size < inPath.size) return { ok: false, why: "path_parameter" };
  const hasBody = Object.hasOwn(node, "requestBody");
  const body = hasBody && takesBody(method) ? bodyOf(document, node["requestBody"], method) : undefined;
  if (hasBody && takesBody(method) && body === undefined) return { ok: false, why: "body" };
  const parts = [...read.parameters, ...(body?.parts ?? [])];
  if (parts.length > MOST_ARGUMENTS) return { ok: false, why: "too_many_arguments" };

  const names = argumentNames(parts.map(({ argument }) => argument));
  const described = parts.map((part, index) => ({
    ...part,
    argument: { ...part.argument, name: names[index] ?? "" } satisfies Argument,
  }));
  const { schema, notes } = inputSchemaOf(document, described);
  const label = labelOf(method, path);
  const changes = [
    ...read.changes.map(({ why, key }) => changed(label, why, key)),
    ...described
      .filter(({ argument }) => argument.key !== undefined && argument.key !== argument.name)
      .map(({ argument }) => changed(label, "renamed", argument.name)),
    ...(hasBody && !takesBody(method) ? [changed(label, "body")] : []),
    ...[...notes].map((note) => changed(label, note)),
  ];
  const responses = responsesOf(document, node);
  return {
    ok: true,
    changes,
    operation: {
      id: toText(stringAt(node, "operationId"), 200) || undefined,
      method,
      path,
      segments,
      description: describe(node, label),
      tags: arrayAt(node, "tags")
        .map((tag) => toText(tag, 64))
        .filter(Boolean),
      deprecated: node["deprecated"] === true,
      inputSchema: schema,
      arguments: described.map(({ argument }) => argument),
      body: body?.spec,
      annotations: ANNOTATIONS[method],
      responses,
      security: securityOf(document, node),
      accept: acceptOf(responses),
      keyHeader: read.keyHeader,
      withheld: withheldIn(source.schemes),
      server: ownServer(source),
    },
  };
}

/** The query names of credentials. */
function withheldIn(schemes: ReadonlyMap<string, SecurityScheme>): readonly string[] {
  return [...schemes.values()].flatMap((one) => (one.type === "apiKey" && one.in === "query" ? [one.key] : []));
}

/** An address that is not the document's, of the operation or of its path. */
function ownServer({ servers, pathItem, operation }: OperationSource): string | undefined {
  const [first] = [...serversIn(operation), ...serversIn(pathItem)];
  return first !== undefined && !servers.includes(first) ? first : undefined;
}
