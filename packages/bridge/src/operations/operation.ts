import type { JsonSchemaObject } from "../document/schema-keywords.ts";
import type { Annotations } from "../sdk.ts";

export type HttpMethod = "GET" | "HEAD" | "PUT" | "POST" | "PATCH" | "DELETE";

/** The part of the request that a parameter is in. */
export type Location = "path" | "query" | "header" | "cookie";

export type Style = "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/** An argument of the tool that is sent as a parameter of the request. */
export interface ParameterArgument {
  /** The name in the tool. */
  readonly name: string;
  readonly in: Location;
  readonly key: string;
  readonly required: boolean;
  readonly style: Style;
  /** Whether each value of a list or object is written separately. */
  readonly explode: boolean;
  /** Whether reserved characters of a query value stay unencoded. */
  readonly allowReserved: boolean;
  /** Whether slashes in a path value separate segments. */
  readonly multiSegment: boolean;
  /** The format of the value if the document declares `content` instead of a style. */
  readonly content?: "json" | "text";
}

/** An argument of the tool that is sent as the body, or as a member of it. */
export interface BodyArgument {
  /** The name in the tool. */
  readonly name: string;
  readonly in: "body";
  /** The member of the body; undefined for the body as a whole. */
  readonly key: string | undefined;
  readonly required: boolean;
  /** Whether it is required once the call has a body. */
  readonly requiredInBody: boolean;
  /** Whether it is a file, given as `{ filename, mimeType, dataBase64 }`, or a list of files. */
  readonly file: boolean;
  /** Of a form member; undefined for the default. */
  readonly style?: Extract<Style, "form" | "spaceDelimited" | "pipeDelimited" | "deepObject">;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly contentType?: string;
}

/** An argument of a tool, and its place in the request. */
export type Argument = ParameterArgument | BodyArgument;

export interface BodySpec {
  readonly mediaType: string;
  readonly form: BodyForm;
  /** Whether every call has to send a body. */
  readonly required: boolean;
}

export type BodyForm = "json" | "form" | "multipart" | "text" | "binary";

/** A part of a path template: fixed text, or the key of a path parameter. */
export type PathPart = { readonly text: string } | { readonly parameter: string };

export interface ResponseSpec {
  /** `404`, a range such as `4XX`, or `default`. */
  readonly status: string;
  readonly description: string;
  readonly mediaTypes: readonly string[];
}

/** Schemes that a call has to satisfy together, with the scopes that the operation requires. */
export type SecurityRequirement = readonly { readonly scheme: string; readonly scopes: readonly string[] }[];

/** One operation of an API, as a tool offers it. */
export interface Operation {
  /** The name of the tool. */
  readonly name: string;
  /** The `operationId` of the document. */
  readonly id: string | undefined;
  /** The HTTP method. */
  readonly method: HttpMethod;
  /** The path template of the document. */
  readonly path: string;
  /** The path template in segments. */
  readonly segments: readonly (readonly PathPart[])[];
  /** What the operation does, in the words of the document. */
  readonly description: string;
  /** The tags of the operation. */
  readonly tags: readonly string[];
  /** Whether the document marks the operation as deprecated. */
  readonly deprecated: boolean;
  /** The schema of the tool's arguments. */
  readonly inputSchema: JsonSchemaObject;
  /** The arguments of the tool, and their places in the request. */
  readonly arguments: readonly Argument[];
  /** The body that the operation takes. */
  readonly body: BodySpec | undefined;
  /** The annotations that follow from the method. */
  readonly annotations: Annotations;
  /** The responses that the document declares. */
  readonly responses: readonly ResponseSpec[];
  /** Security requirements, any of which is enough; an empty list requires nothing. */
  readonly security: readonly SecurityRequirement[];
  /** The `Accept` header to send. */
  readonly accept: string;
  /** The header for an idempotency key, if the document declares one. */
  readonly idempotencyHeader: string | undefined;
  /** Query parameters that carry a credential: no argument may write them. */
  readonly credentialParameters: readonly string[];
  /** The base address of this operation, if it differs from the document's. */
  readonly server: string | undefined;
}

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

/** The methods that become tools, and the annotations that follow from the definition of each. */
export const METHOD_ANNOTATIONS = {
  GET: READ_ONLY,
  HEAD: READ_ONLY,
  PUT: { readOnlyHint: false, idempotentHint: true },
  POST: { readOnlyHint: false, idempotentHint: false },
  PATCH: { readOnlyHint: false, idempotentHint: false },
  DELETE: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
} as const satisfies Readonly<Record<HttpMethod, Annotations>>;

export function takesBody(method: HttpMethod): boolean {
  return method !== "GET" && method !== "HEAD";
}
