import { FAULT_LIMITS, KINDS, REASON_NAME, type StatedKind } from "@recourse/faults";
import { booleanAt, entriesOf, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/wire";
import type { Document } from "../document/document.ts";
import { resolvedObject } from "../document/refs.ts";
import { toPrintableLine } from "../document/schema-keywords.ts";
import { type ObjectMember, schemaMembers } from "../document/schema-members.ts";
import { findBodyForm, isMediaType, mediaTypeEssence } from "./headers.ts";
import type { BodyArgument, BodyForm, BodySpec, DeclaredError, HttpMethod, ResponseSpec } from "./operation.ts";
import { styleAt } from "./parameters.ts";

/** An argument of a body without a name in the tool: names are given to all arguments together. */
interface BodyPart {
  readonly argument: Omit<BodyArgument, "name">;
  /** The schema of the document. */
  readonly node: unknown;
}

/** The body of an operation and its arguments. */
interface OperationBody {
  readonly spec: BodySpec;
  readonly parts: readonly BodyPart[];
}

/** The schema of a body that is not JSON and not a form. */
const WHOLE_BODY_SCHEMAS = {
  text: { type: "string" },
  binary: { type: "string", format: "byte", description: "The content, in base64." },
} as const satisfies Partial<Record<BodyForm, JsonObject>>;

/** Reads the body that an operation takes; undefined when it cannot be sent. */
export function readOperationBody(document: Document, node: unknown, method: HttpMethod): OperationBody | undefined {
  const body = resolvedObject(document, node);
  const [best] = entriesOf(objectAt(body, "content"))
    .flatMap(([type, media]) => {
      const form = isMediaType(type) || type.includes("*") ? findBodyForm(type) : undefined;
      return form === undefined ? [] : [{ type, media, ...form }];
    })
    .toSorted((a, b) => a.rank - b.rank);
  if (body === undefined || best === undefined) return undefined;
  const { form, media } = best;
  const schema = memberAt(media, "schema") ?? {};
  const members = form === "text" || form === "binary" ? undefined : schemaMembers(document, schema);
  const required = booleanAt(body, "required") ?? isImpliedRequired(method, members);
  const mediaType = best.type.includes("*") ? "application/json" : best.type;
  const parts =
    members === undefined
      ? [
          {
            argument: wholeBodyArgument(required),
            node: form === "text" || form === "binary" ? WHOLE_BODY_SCHEMAS[form] : schema,
          },
        ]
      : members.map((member) =>
          memberPart({ document, form, required, encoding: objectAt(media, "encoding") }, member),
        );
  return { spec: { mediaType, form, required }, parts };
}

/** Documents often forget `required`; a body with required members is required too. */
function isImpliedRequired(method: HttpMethod, members: readonly ObjectMember[] | undefined): boolean {
  return method !== "DELETE" && members?.some((member) => member.isRequired) === true;
}

function wholeBodyArgument(required: boolean): Omit<BodyArgument, "name"> {
  return { in: "body", key: undefined, required, requiredInBody: required, file: false };
}

interface BodyContext {
  readonly document: Document;
  readonly form: BodyForm;
  readonly required: boolean;
  readonly encoding: JsonObject | undefined;
}

function memberPart(
  { document, form, required, encoding }: BodyContext,
  { key, node, isRequired }: ObjectMember,
): BodyPart {
  const file = form === "multipart" ? fileKind(document, node) : undefined;
  const argument = {
    in: "body",
    key,
    required: required && isRequired,
    requiredInBody: isRequired,
    file: file !== undefined,
    ...(form === "form" || form === "multipart" ? memberEncoding(objectAt(encoding, key)) : {}),
  } as const;
  return { argument, node: file === undefined ? node : FILE_SCHEMAS[file] };
}

function memberEncoding(node: unknown): Pick<BodyArgument, "style" | "explode" | "allowReserved" | "contentType"> {
  const style = styleAt("query", memberAt(node, "style"));
  const explode = booleanAt(node, "explode") ?? (style === undefined ? undefined : style === "form");
  // A list of types leaves the choice to the sender, which uses the default.
  const contentType = stringAt(node, "contentType");
  const isOne = contentType !== undefined && isMediaType(contentType) && !mediaTypeEssence(contentType).includes("*");
  return {
    ...(style !== undefined && { style }),
    ...(explode !== undefined && { explode }),
    ...(booleanAt(node, "allowReserved") === true && { allowReserved: true }),
    ...(isOne && { contentType }),
  };
}

const FILE_SCHEMA = {
  type: "object",
  description: "A file.",
  properties: {
    filename: { type: "string" },
    mimeType: { type: "string" },
    dataBase64: { type: "string", description: "The content, in base64." },
  },
  required: ["filename", "dataBase64"],
  additionalProperties: false,
} as const satisfies JsonObject;

/** The schemas of a file argument and of a list of files. */
const FILE_SCHEMAS = {
  one: FILE_SCHEMA,
  many: { type: "array", items: FILE_SCHEMA },
} as const satisfies Readonly<Record<string, JsonObject>>;

/** Whether a member of a form is a file or a list of files. */
function fileKind(document: Document, node: unknown): keyof typeof FILE_SCHEMAS | undefined {
  const schema = resolvedObject(document, node);
  if (isBinary(schema)) return "one";
  return isBinary(resolvedObject(document, memberAt(schema, "items"))) ? "many" : undefined;
}

/** OpenAPI 3.0 marks files with a format, 3.1 with a media type. */
function isBinary(schema: unknown): boolean {
  if (stringAt(schema, "format") === "binary") return true;
  const type = stringAt(schema, "contentMediaType");
  return type !== undefined && stringAt(schema, "contentEncoding") === undefined && !/json|^text\//.test(type);
}

const MAX_SENT_ACCEPT_LENGTH = 500;
/** Many services send problem documents only to clients that accept them. */
const PROBLEM_JSON = "application/problem+json";

/** The responses that an operation declares. */
export function readResponses(document: Document, operation: unknown): readonly ResponseSpec[] {
  return entriesOf(objectAt(operation, "responses"))
    .filter(([status]) => /^(?:[1-5](?:\d\d|XX)|default)$/i.test(status))
    .map(([status, node]) => {
      const response = resolvedObject(document, node);
      const error = readDeclaredError(response);
      return {
        status: status === "default" ? status : status.toUpperCase(),
        description: toPrintableLine(response?.["description"], 200),
        mediaTypes: entriesOf(objectAt(response, "content"))
          .map(([type]) => type.toLowerCase())
          .filter(isMediaType),
        ...(error !== undefined && { error }),
      };
    });
}

/** The `Accept` header for the declared responses. */
export function acceptHeader(responses: readonly ResponseSpec[]): string {
  const good = responses.filter(({ status }) => /^(?:2|default)/.test(status)).flatMap(({ mediaTypes }) => mediaTypes);
  const types = [...new Set([...good, "application/json", PROBLEM_JSON])];
  const accept: string[] = [];
  for (const type of types) if (accept.join(", ").length + type.length < MAX_SENT_ACCEPT_LENGTH) accept.push(type);
  return [...accept, "*/*;q=0.1"].join(", ");
}

/** A document cannot ask for credentials or cancel a call. */
const EXCLUDED_KINDS = new Set(["unknown", "unauthenticated", "cancelled"]);

/** Reads `x-mcp-error` of a response; undefined when it is missing or cannot be used. */
export function readDeclaredError(response: unknown): DeclaredError | undefined {
  const node = objectAt(response, "x-mcp-error");
  const [kind = "", name = ""] = [stringAt(node, "kind"), stringAt(node, "reason")];
  const text = toPrintableLine(stringAt(node, "message"), FAULT_LIMITS.message);
  const retryable = booleanAt(node, "retryable");
  // Brackets and braces would be read as slots.
  const isValid = REASON_NAME.test(name) && text !== "" && !/[[\]{}]/.test(text);
  if (!isValid || !Object.hasOwn(KINDS, kind) || EXCLUDED_KINDS.has(kind)) return undefined;
  return { kind: kind as StatedKind, name, text, ...(retryable !== undefined && { retryable }) };
}
