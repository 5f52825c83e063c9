import { booleanAt, entriesOf, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/core/wire";
import { type Document, resolvedObject } from "../document/document.ts";
import { toPrintableLine } from "../document/schema-keywords.ts";
import { type ObjectMember, schemaMembers } from "../document/schema-members.ts";
import { findBodyForm, isMediaType, mediaTypeEssence } from "./headers.ts";
import type { BodyArgument, BodyForm, BodySpec, HttpMethod, ResponseSpec } from "./operation.ts";
import { styleAt } from "./parameters.ts";

/** An argument of a body without a name in the tool: names are given to all arguments together. */
interface BodyPart {
  readonly argument: Omit<BodyArgument, "name">;
  readonly node: unknown;
}

interface OperationBody {
  readonly spec: BodySpec;
  readonly parts: readonly BodyPart[];
}

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
  const encoding = objectAt(media, "encoding");
  const whole = form === "text" || form === "binary" ? WHOLE_BODY_SCHEMAS[form] : schema;
  const parts = members?.map((member): BodyPart => {
    const file = form === "multipart" ? fileSchema(document, member.node) : undefined;
    const { key, isRequired: requiredInBody } = member;
    const own = form === "form" || form === "multipart" ? memberEncoding(objectAt(encoding, key)) : {};
    const kept = { required: required && requiredInBody, requiredInBody, file: file !== undefined };
    return { argument: { in: "body", key, ...kept, ...own }, node: file ?? member.node };
  }) ?? [{ argument: { in: "body", key: undefined, required, requiredInBody: required, file: false }, node: whole }];
  return { spec: { mediaType, form, required }, parts };
}

/** Documents often forget `required`; a body with required members is required too. */
function isImpliedRequired(method: HttpMethod, members: readonly ObjectMember[] | undefined): boolean {
  return method !== "DELETE" && members?.some((member) => member.isRequired) === true;
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

/** The schema of a file or of a list of files, if the member of a form is one. */
function fileSchema(document: Document, node: unknown): JsonObject | undefined {
  const schema = resolvedObject(document, node);
  if (isBinary(schema)) return FILE_SCHEMA;
  const isList = isBinary(resolvedObject(document, memberAt(schema, "items")));
  return isList ? { type: "array", items: FILE_SCHEMA } : undefined;
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

export function readResponses(document: Document, operation: unknown): readonly ResponseSpec[] {
  return entriesOf(objectAt(operation, "responses"))
    .filter(([status]) => /^(?:[1-5](?:\d\d|XX)|default)$/i.test(status))
    .map(([status, node]) => {
      const response = resolvedObject(document, node);
      const types = entriesOf(objectAt(response, "content")).map(([type]) => type.toLowerCase());
      return {
        status: status === "default" ? status : status.toUpperCase(),
        description: toPrintableLine(response?.["description"], 200),
        mediaTypes: types.filter(isMediaType),
      };
    });
}

export function acceptHeader(responses: readonly ResponseSpec[]): string {
  const good = responses.filter(({ status }) => /^(?:2|default)/.test(status)).flatMap(({ mediaTypes }) => mediaTypes);
  const types = [...new Set([...good, "application/json", PROBLEM_JSON])];
  const accept: string[] = [];
  for (const type of types) if (accept.join(", ").length + type.length < MAX_SENT_ACCEPT_LENGTH) accept.push(type);
  return [...accept, "*/*;q=0.1"].join(", ");
}
