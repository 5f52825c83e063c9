import { isJson } from "../../document/json.ts";
import type { BodyArgument, BodySpec } from "../../operations/operation.ts";
import { jsonOf } from "../flat.ts";
import { made, type Problem, type Result, refused } from "../result.ts";
import { fromBase64 } from "./base64.ts";
import { formValue } from "./form.ts";
import { joinParts, type Part, partsOf } from "./multipart.ts";

/** A body, ready to be sent. */
interface Content {
  readonly type: string;
  readonly data: string | Uint8Array<ArrayBuffer>;
}

/** A value for an argument of the body. */
export interface Given {
  readonly argument: BodyArgument;
  readonly value: unknown;
}

/** A body, or what is wrong with which argument. */
export type BodyResult =
  | { readonly ok: true; readonly content: Content }
  | { readonly ok: false; readonly name: string; readonly problem: Problem };

/** Writes a body from the arguments that were given for it. */
export function writeBody({ form, mediaType }: BodySpec, given: readonly Given[], maxBytes: number): BodyResult {
  const [first] = given;
  const isWhole = first !== undefined && first.argument.key === undefined;
  const of = (content: Result<Content>): BodyResult =>
    content.ok
      ? { ok: true, content: content.value }
      : { ok: false, name: first?.argument.name ?? "", problem: content.problem };
  switch (form) {
    case "json": {
      const value = isWhole
        ? first.value
        : Object.fromEntries(given.map(({ argument, value: one }) => [argument.key ?? "", one]));
      const data = jsonOf(value);
      return of(data === undefined ? refused("type", "a value of JSON") : made({ type: mediaType, data }));
    }
    case "text":
      return of(
        typeof first?.value === "string" ? made({ type: mediaType, data: first.value }) : refused("type", "a string"),
      );
    case "binary": {
      const bytes = fromBase64(first?.value, maxBytes);
      return of(bytes.ok ? made({ type: mediaType, data: bytes.value }) : bytes);
    }
    case "form":
      return writeForm(mediaType, membersIn(given));
    case "multipart":
      return writeMultipart(membersIn(given), maxBytes);
    default:
      return form satisfies never;
  }
}

/** The members of a form; one that is given as a whole is taken apart. */
function membersIn(given: readonly Given[]): readonly Given[] {
  return given.flatMap(({ argument, value }) => {
    if (argument.key !== undefined || !isJson(value)) return [{ argument, value }];
    return Object.entries(value).map(([key, one]) => ({ argument: { ...argument, key }, value: one }));
  });
}

function writeForm(type: string, given: readonly Given[]): BodyResult {
  const pieces: string[] = [];
  for (const { argument, value } of given.filter((one) => one.value !== null)) {
    const taken = new Set(given.flatMap((one) => (one.argument === argument ? [] : [one.argument.key ?? ""])));
    const piece = argument.key === undefined ? refused("type", "an object") : formValue(value, argument, taken);
    if (!piece.ok) return { ok: false, name: argument.name, problem: piece.problem };
    if (piece.value !== "") pieces.push(piece.value);
  }
  return { ok: true, content: { type, data: pieces.join("&") } };
}

function writeMultipart(given: readonly Given[], maxBytes: number): BodyResult {
  const all: Part[] = [];
  for (const { argument, value } of given) {
    const parts = argument.key === undefined ? refused("type", "an object") : partsOf(value, argument, maxBytes);
    if (!parts.ok) return { ok: false, name: argument.name, problem: parts.problem };
    all.push(...parts.value);
  }
  const { boundary, bytes } = joinParts(all);
  return { ok: true, content: { type: `multipart/form-data; boundary=${boundary}`, data: bytes } };
}
