// Error objects that systems write into the result of a tool, with or without `isError`.
import { type JsonObject, memberAt, objectAt, parseJson, stringAt } from "../json/read.ts";
import type { EncodeContext } from "./dialect.ts";

/** Longer texts are results, not failures. */
const MAX_TEXT_LENGTH = 20_000;

/** An error object that was found in a result. */
export interface ErrorObject {
  readonly error: JsonObject;
  /** Whether a tool may only be showing such an object as its result. */
  readonly isShown: boolean;
}

/**
 * The error object in a result: its member `error`, or the same member of its data or of the JSON in its only text. In the
 * data and in the text it counts only if `recognises` knows its form, since results of tools stand there too.
 */
export function errorObjectOf(result: unknown, recognises: (error: JsonObject) => boolean): ErrorObject | undefined {
  const member = objectAt(result, "error");
  if (member !== undefined) return { error: member, isShown: false };
  for (const place of [memberAt(result, "structuredContent"), parseJson(onlyText(result), MAX_TEXT_LENGTH)]) {
    const error = objectAt(place, "error");
    if (error !== undefined && recognises(error)) return { error, isShown: memberAt(result, "isError") !== true };
  }
  return undefined;
}

/** An error object as the data of a result. */
export interface ErrorData<E> {
  /** The same object as in the member `error`, which clients drop that keep only members of the protocol. */
  readonly structuredContent?: { readonly error: E };
}

/** The members of a result that carry an error object in its data, unless the tool has a schema for its data or may have one. */
export function errorAsData<E>(error: E, { outputSchema }: Pick<EncodeContext, "outputSchema">): ErrorData<E> {
  return outputSchema === false ? { structuredContent: { error } } : {};
}

/** The text of a result whose content is one text, if that begins like a JSON object. */
export function onlyText(result: unknown): string | undefined {
  const content = memberAt(result, "content");
  const text = Array.isArray(content) && content.length === 1 ? stringAt(content[0], "text") : undefined;
  return text?.startsWith("{") === true ? text : undefined;
}
