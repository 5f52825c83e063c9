import { isJson } from "../../document/json.ts";
import type { BodyArgument } from "../../operations/operation.ts";
import { jsonOf } from "../flat.ts";
import { queryValue } from "../query.ts";
import type { Result } from "../result.ts";

/** Writes one member of a form as it stands in a form body; empty where there is nothing to write. */
export function formValue(
  value: unknown,
  { key = "", style, explode, allowReserved = false, contentType }: Omit<BodyArgument, "name">,
  taken: ReadonlySet<string>,
): Result<string> {
  // Without a word from the document, what a form cannot hold is written as JSON.
  const isNested = style === undefined && (isJson(value) || hasObjects(value));
  const isJsonPart = style === undefined && /[/+]json$/.test(contentType ?? "");
  return queryValue(isNested || isJsonPart ? jsonOf(value) : value, {
    key,
    style: style ?? "form",
    explode: explode ?? true,
    allowReserved,
    taken,
  });
}

function hasObjects(value: unknown): boolean {
  return Array.isArray(value) && value.some((one) => typeof one === "object" && one !== null);
}
