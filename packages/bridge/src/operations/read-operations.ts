import { arrayAt, entriesOf, type JsonObject, objectAt, stringAt } from "@recourse/core/wire";
import { fitSchemas, type SchemaNote } from "../document/convert-schema.ts";
import { type Document, resolvedObject, serverAddresses } from "../document/document.ts";
import { type JsonSchemaObject, toPrintableLine } from "../document/schema-keywords.ts";
import { acceptHeader, readOperationBody, readResponses } from "./body.ts";
import { argumentNames, toolNames } from "./names.ts";
import {
  type Argument,
  type HttpMethod,
  METHOD_ANNOTATIONS,
  type Operation,
  type ResponseSpec,
  takesBody,
} from "./operation.ts";
import { parsePathTemplate, pathParameters, readParameters } from "./parameters.ts";
import {
  type ChangedArgument,
  changedArgument,
  type OperationsReport,
  operationLabel,
  type RenamedTool,
  type SkippedOperation,
  skippedOperation,
} from "./report.ts";
import { readSecurity, readSecuritySchemes, type SecurityScheme } from "./security.ts";

interface ReadOperations {
  readonly operations: readonly Operation[];
  readonly report: OperationsReport;
}

/** Reads the operations of a document. An operation that cannot become a correct tool is skipped, and the report says why. */
export function readOperations(document: Document, prefix?: string): ReadOperations {
  const schemes = readSecuritySchemes(document);
  const servers = serverAddresses(document.root);
  const unnamed: UnnamedOperation[] = [];
  const skips: SkippedOperation[] = [];
  const changes: ChangedArgument[] = [];
  for (const [path, node] of entriesOf(objectAt(document.root, "paths")).filter(([key]) => !key.startsWith("x-"))) {
    const pathItem = resolvedObject(document, node);
    if (pathItem === undefined) skips.push(skippedOperation(operationLabel("", path), "unreadable"));
    for (const method of HTTP_METHODS) {
      const operation = objectAt(pathItem, method.toLowerCase());
      if (operation === undefined) continue;
      const read = readOperation({ document, schemes, servers, path, pathItem, method, operation });
      if (read.ok) {
        unnamed.push(read.operation);
        changes.push(...read.changes);
      } else skips.push(skippedOperation(operationLabel(method, path), read.code));
    }
    for (const field of ["options", "trace"])
      if (objectAt(pathItem, field) !== undefined) skips.push(skippedOperation(operationLabel(field, path), "method"));
  }
  const names = toolNames(unnamed, prefix);
  const operations = unnamed.map((one, index) => ({ ...one, name: names[index] ?? "" }));
  return { operations, report: { renamed: operations.flatMap(listRenames), skipped: skips, changed: changes } };
}

function listRenames({ name, id, method, path }: Operation): readonly RenamedTool[] {
  return name === id ? [] : [{ operation: operationLabel(method, path), from: id, to: name }];
}

const HTTP_METHODS = Object.keys(METHOD_ANNOTATIONS) as readonly HttpMethod[];

/** No model fills in so many arguments, and a hostile document could have any number. */
const MAX_ARGUMENTS = 256;

type UnnamedOperation = Omit<Operation, "name">;

interface OperationSource {
  readonly document: Document;
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  readonly servers: readonly string[];
  readonly path: string;
  readonly pathItem: JsonObject | undefined;
  readonly method: HttpMethod;
  readonly operation: JsonObject;
}

type OperationResult =
  | { readonly ok: true; readonly operation: UnnamedOperation; readonly changes: readonly ChangedArgument[] }
  | { readonly ok: false; readonly code: SkippedOperation["code"] };

function readOperation(source: OperationSource): OperationResult {
  const { document, path, method, operation: node } = source;
  const segments = parsePathTemplate(path);
  if (segments === undefined) return { ok: false, code: "unsafe_path" };
  const inPath = pathParameters(segments);
  const read = readParameters({ ...source, operation: node, inPath });
  if (!read.ok) return { ok: false, code: "parameter" };
  const described = read.parameters.filter(({ argument }) => argument.in === "path");
  if (described.length < inPath.size) return { ok: false, code: "path_parameter" };
  const hasBody = Object.hasOwn(node, "requestBody");
  const body = hasBody && takesBody(method) ? readOperationBody(document, node["requestBody"], method) : undefined;
  if (hasBody && takesBody(method) && body === undefined) return { ok: false, code: "body" };
  const parts = [...read.parameters, ...(body?.parts ?? [])];
  if (parts.length > MAX_ARGUMENTS) return { ok: false, code: "too_many_arguments" };
  const responses = readResponses(document, node);
  if (answersWithEvents(responses)) return { ok: false, code: "event_stream" };

  const names = argumentNames(parts.map(({ argument }) => argument));
  const named = parts.map((part, index) => ({
    ...part,
    argument: { ...part.argument, name: names[index] ?? "" } satisfies Argument,
  }));
  const { schema, notes } = buildInputSchema(document, named);
  const label = operationLabel(method, path);
  const changes = [
    ...read.changes.map(({ code, key }) => changedArgument(label, code, key)),
    ...named
      .filter(({ argument }) => argument.key !== undefined && argument.key !== argument.name)
      .map(({ argument }) => changedArgument(label, "renamed", argument.name)),
    ...(hasBody && !takesBody(method) ? [changedArgument(label, "body")] : []),
    ...[...notes].map((note) => changedArgument(label, note)),
  ];
  return {
    ok: true,
    changes,
    operation: {
      id: toPrintableLine(stringAt(node, "operationId"), 200) || undefined,
      method,
      path,
      segments,
      description: describeOperation(node, label),
      tags: arrayAt(node, "tags")
        .map((tag) => toPrintableLine(tag, 64))
        .filter(Boolean),
      deprecated: node["deprecated"] === true,
      inputSchema: schema,
      arguments: named.map(({ argument }) => argument),
      body: body?.spec,
      annotations: METHOD_ANNOTATIONS[method],
      responses,
      security: readSecurity(document, node),
      accept: acceptHeader(responses),
      idempotencyHeader: read.idempotencyHeader,
      credentialParameters: [...source.schemes.values()].flatMap((one) =>
        one.type === "apiKey" && one.in === "query" ? [one.key] : [],
      ),
      server: operationServer(source),
    },
  };
}

/** Whether a success is a stream of events and nothing else: a call would wait until its deadline. */
function answersWithEvents(responses: readonly ResponseSpec[]): boolean {
  const types = responses.filter(({ status }) => status.startsWith("2")).flatMap(({ mediaTypes }) => mediaTypes);
  return types.length > 0 && types.every((type) => type.startsWith("text/event-stream"));
}

/** The base address of the operation or of its path, if it is not one of the document's. */
function operationServer({ servers, pathItem, operation }: OperationSource): string | undefined {
  const [first] = [...serverAddresses(operation), ...serverAddresses(pathItem)];
  return first !== undefined && !servers.includes(first) ? first : undefined;
}

const MAX_TOOL_DESCRIPTION_LENGTH = 1_000;

/** The description of a tool: the words of the document, or the request if the document has none. */
export function describeOperation(node: JsonObject, label: string): string {
  const [summary, description] = [
    toPrintableLine(stringAt(node, "summary"), 200),
    toPrintableLine(stringAt(node, "description"), MAX_TOOL_DESCRIPTION_LENGTH),
  ];
  const isRepeated = description.toLowerCase().startsWith(summary.toLowerCase().replace(/\.$/, ""));
  const sentences = isRepeated ? [description] : [summary && `${summary.replace(/\.$/, "")}.`, description];
  const text = sentences.filter(Boolean).join(" ") || `Calls ${label}.`;
  return toPrintableLine(node["deprecated"] === true ? `Deprecated. ${text}` : text, MAX_TOOL_DESCRIPTION_LENGTH);
}

interface DescribedArgument {
  readonly argument: Argument;
  readonly node: unknown;
  readonly documented?: { readonly description: unknown; readonly deprecated: boolean };
}

/** The input schema of a tool: one flat object without further members. */
function buildInputSchema(
  document: Document,
  described: readonly DescribedArgument[],
): { readonly schema: JsonSchemaObject; readonly notes: ReadonlySet<SchemaNote> } {
  const { schemas, notes } = fitSchemas(
    document,
    described.map(({ node }) => node),
  );
  const properties = described.map(({ argument, documented }, index) => {
    const description = toPrintableLine(documented?.description, 300);
    const deprecated = documented?.deprecated === true && { deprecated: true };
    return [argument.name, { ...schemas[index], ...(description !== "" && { description }), ...deprecated }] as const;
  });
  const required = described.filter(({ argument }) => argument.required).map(({ argument }) => argument.name);
  const schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  return { schema, notes };
}
