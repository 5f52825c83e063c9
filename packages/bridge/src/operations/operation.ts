import type { JsonSchema } from "../document/schema/walk.ts";
import type { DeclaredError } from "./declared-error.ts";

/** The methods that become tools. */
export type Method = "GET" | "HEAD" | "PUT" | "POST" | "PATCH" | "DELETE";

/** Where a parameter stands in a request. */
export type Location = "path" | "query" | "header" | "cookie";

/** How a parameter is written. */
export type Style = "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/** An argument of the tool that is a parameter of the request. */
export interface ParameterArgument {
  /** Its name in the tool. */
  readonly name: string;
  readonly in: Location;
  /** Its name in the request. */
  readonly key: string;
  readonly required: boolean;
  readonly style: Style;
  readonly explode: boolean;
  /** Reserved characters of a query value are not encoded. */
  readonly allowReserved: boolean;
  /** Slashes in a path value part segments. */
  readonly multiSegment: boolean;
  /** Written as a document of its own instead of in a style. */
  readonly content?: "json" | "text";
}

/** An argument of the tool that is the body, or a member of it. */
export interface BodyArgument {
  readonly name: string;
  readonly in: "body";
  /** The member of the body; undefined for the body as a whole. */
  readonly key: string | undefined;
  readonly required: boolean;
  /** Required as soon as there is a body at all. */
  readonly needed: boolean;
  /** Given as `{ filename, mimeType, dataBase64 }`, or as a list of them. */
  readonly file: boolean;
  /** How a member of a form is written; undefined for the usual way. */
  readonly style?: Extract<Style, "form" | "spaceDelimited" | "pipeDelimited" | "deepObject">;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  /** The media type of a part. */
  readonly contentType?: string;
}

/** An argument of a tool, and where it goes. */
export type Argument = ParameterArgument | BodyArgument;

/** The body that an operation takes. */
export interface BodySpec {
  /** What is sent as its type. */
  readonly mediaType: string;
  readonly form: BodyForm;
  readonly required: boolean;
}

/** How bodies are written. */
export type BodyForm = "json" | "form" | "multipart" | "text" | "binary";

/** A part of a path template: fixed text, or the key of a path parameter. */
export type PathPart = { readonly text: string } | { readonly parameter: string };

/** What a host may be told about a tool; what is not certain is not told. */
export interface Annotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
}

/** A response that the document declares. */
export interface ResponseSpec {
  /** `404`, a range such as `4XX`, or `default`. */
  readonly status: string;
  readonly description: string;
  readonly mediaTypes: readonly string[];
  /** What its author says about it as a failure. */
  readonly error?: DeclaredError;
}

/** A security scheme and the scopes that are asked of it. */
interface SchemeUse {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

/** One way to be allowed: all of these together. */
export type SecurityRequirement = readonly SchemeUse[];

/** One operation of an API, as a tool. */
export interface Operation {
  /** The name of the tool. */
  readonly name: string;
  /** The document's own name for it. */
  readonly id: string | undefined;
  readonly method: Method;
  /** The path as the document writes it. */
  readonly path: string;
  /** The same path in segments. */
  readonly segments: readonly (readonly PathPart[])[];
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  readonly inputSchema: JsonSchema;
  readonly arguments: readonly Argument[];
  readonly body: BodySpec | undefined;
  readonly annotations: Annotations;
  readonly responses: readonly ResponseSpec[];
  /** Ways to be allowed, any of which is enough; an empty list asks for nothing. */
  readonly security: readonly SecurityRequirement[];
  /** The `Accept` header to send. */
  readonly accept: string;
  /** The header that takes an idempotency key, where the document declares one. */
  readonly keyHeader: string | undefined;
  /** Names in the query that belong to a credential: no argument may write them. */
  readonly withheld: readonly string[];
  /** The address of its own that the document gives this operation. */
  readonly server: string | undefined;
}
