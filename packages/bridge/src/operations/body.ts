import type { Document } from "../document/document.ts";
import { booleanAt, entriesOf, type Json, memberAt, objectAt, stringAt } from "../document/json.ts";
import { resolvedObject } from "../document/refs.ts";
import { type Member, membersOf } from "../document/schema/members.ts";
import { FILE, isFile } from "./files.ts";
import { essenceOf, formOf, isMediaType } from "./media-type.ts";
import type { BodyArgument, BodyForm, BodySpec, Method } from "./operation.ts";
import { styleAt } from "./styles.ts";

/** An argument of a body before it has a name in the tool. */
interface BodyPart {
  readonly argument: Omit<BodyArgument, "name">;
  readonly node: unknown;
}

/** The body of an operation and its arguments. */
export interface Body {
  readonly spec: BodySpec;
  readonly parts: readonly BodyPart[];
}

/** A body as a whole that is not JSON. */
const WHOLE = {
  text: { type: "string" },
  binary: { type: "string", format: "byte", description: "The content, in base64." },
} as const satisfies Partial<Record<BodyForm, Json>>;

/** Reads the body that an operation takes; undefined when it cannot be sent. */
export function bodyOf(document: Document, node: unknown, method: Method): Body | undefined {
  const body = resolvedObject(document, node);
  const [best] = entriesOf(objectAt(body, "content"))
    .flatMap(([type, media]) => {
      const form = isMediaType(type) || type.includes("*") ? formOf(type) : undefined;
      return form === undefined ? [] : [{ type, media, ...form }];
    })
    .toSorted((a, b) => a.rank - b.rank);
  if (body === undefined || best === undefined) return undefined;
  const { form, media } = best;
  const schema = memberAt(media, "schema") ?? {};
  const members = form === "text" || form === "binary" ? undefined : membersOf(document, schema);
  const required = booleanAt(body, "required") ?? isImplied(method, members);
  const mediaType = best.type.includes("*") ? "application/json" : best.type;
  const parts =
    members === undefined
      ? [{ argument: whole(required), node: form === "text" || form === "binary" ? WHOLE[form] : schema }]
      : members.map((member) => partOf({ document, form, required, encoding: objectAt(media, "encoding") }, member));
  return { spec: { mediaType, form, required }, parts };
}

/** Documents often forget to say that a body is required; members that are say so too. */
function isImplied(method: Method, members: readonly Member[] | undefined): boolean {
  return method !== "DELETE" && members?.some((member) => member.isRequired) === true;
}

function whole(required: boolean): Omit<BodyArgument, "name"> {
  return { in: "body", key: undefined, required, needed: required, file: false };
}

interface Around {
  readonly document: Document;
  readonly form: BodyForm;
  readonly required: boolean;
  readonly encoding: Json | undefined;
}

function partOf({ document, form, required, encoding }: Around, { key, node, isRequired }: Member): BodyPart {
  const file = form === "multipart" ? isFile(document, node) : undefined;
  const argument = {
    in: "body",
    key,
    required: required && isRequired,
    needed: isRequired,
    file: file !== undefined,
    ...(form === "form" || form === "multipart" ? encodingOf(objectAt(encoding, key)) : {}),
  } as const;
  return { argument, node: file === undefined ? node : FILE[file] };
}

function encodingOf(node: unknown): Pick<BodyArgument, "style" | "explode" | "allowReserved" | "contentType"> {
  const style = styleAt("query", memberAt(node, "style"));
  const explode = booleanAt(node, "explode") ?? (style === undefined ? undefined : style === "form");
  // A list of types leaves the choice to the sender, who then makes the usual one.
  const contentType = stringAt(node, "contentType");
  const isOne = contentType !== undefined && isMediaType(contentType) && !essenceOf(contentType).includes("*");
  return {
    ...(style !== undefined && { style }),
    ...(explode !== undefined && { explode }),
    ...(booleanAt(node, "allowReserved") === true && { allowReserved: true }),
    ...(isOne && { contentType }),
  };
}
