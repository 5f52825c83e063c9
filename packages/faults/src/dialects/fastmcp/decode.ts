import type { Fault } from "../../fault/fault.ts";
import type { DecodeContext } from "../dialect.ts";
import { readForm } from "../forms.ts";
import { firstText, open } from "../wire.ts";
import { ERROR_FORMS, TOOL_FORMS } from "./forms.ts";

/** Reads what FastMCP and the Python SDK write; undefined for every other sentence. */
export function decode(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, error } = open(wire);
  if (result?.["isError"] === true) {
    return readForm(TOOL_FORMS, { text: firstText(result) ?? "", code: undefined }, context);
  }
  return error?.message === undefined
    ? undefined
    : readForm(ERROR_FORMS, { text: error.message, code: error.code }, context);
}
