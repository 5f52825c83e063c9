import {
  booleanAt,
  entriesOf,
  type JsonObject,
  memberAt,
  objectAt,
  stringAt,
} from "@recourse/faults/internal-do-not-use";
import type { Document } from "../document/document.ts";
import { resolvedObject } from "../document/refs.ts";
import { type SchemaMember, schemaMembers } from "../document/schema/members.ts";
import { bodyFormOf, essenceOf, isMediaType } from "./media-type.ts";
import type { BodyArgument, BodyForm, BodySpec, HttpMethod } from "./operation.ts";
import { styleAt } from "./parameters.ts";

/** An argument of a body without a name in the tool: names are given to all arguments together. */
interface BodyPart {
  readonly argument: Omit<BodyArgument, "name">;
  /** The schema of the document. */
  readonly node: unknown;
}

/** The body of an operation and its arguments. */
export interface OperationBody {
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
      const form = isMediaType(type) || type.includes("*") ? bodyFormOf(type) : undefined;
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
function isImpliedRequired(method: HttpMethod, members: readonly SchemaMember[] | undefined): boolean {
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
  { key, node, isRequired }: SchemaMember,
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
  const isOne = contentType !== undefined && isMediaType(contentType) && !essenceOf(contentType).includes("*");
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
