// The codes of the failures that tools declare, in `tools/list`, for clients that know the dialect and not the reasons.
import type { Dialect } from "../../dialects/dialect.ts";
import { CODES_KEY } from "../../json/names.ts";
import { arrayAt, isObject, objectAt, stringAt } from "../../json/read.ts";
import { metaOf } from "../../sdk/context.ts";
import type { SdkTool } from "../../sdk/server.ts";
import type { GuardOptions } from "../options.ts";
import { dialectFor } from "../replies/dialect-choice.ts";
import { declaredReasons, typicalFault } from "./declares.ts";

/**
 * The result of `tools/list` with the codes of the declared failures. A dialect without codes adds nothing, and a dialect
 * that throws does not keep the list back.
 */
export function withCodes(
  result: unknown,
  registered: Readonly<Record<string, SdkTool>>,
  { options, context }: { readonly options: GuardOptions; readonly context: unknown },
): unknown {
  try {
    // The codes are those of the calls to come.
    const dialect = dialectFor(options.dialect, { method: "tools/call", meta: metaOf(context) });
    if (dialect?.codes === undefined || !isObject(result)) return result;
    return { ...result, tools: arrayAt(result, "tools").map((listed) => withCodesOf(listed, registered, dialect)) };
  } catch {
    return result;
  }
}

function withCodesOf(
  listed: unknown,
  registered: Readonly<Record<string, SdkTool>>,
  { codes }: Dialect<unknown>,
): unknown {
  const tool = stringAt(listed, "name") ?? "";
  const reasons = Object.hasOwn(registered, tool) ? declaredReasons(registered[tool] ?? {}) : [];
  if (!isObject(listed) || reasons.length === 0) return listed;
  // A reason without a code has null, so that the two lists match.
  const ofReasons = reasons.map(
    (reason) => reason && codes?.codeOf(typicalFault(reason, registered[tool] ?? {}), { method: "tools/call", tool }),
  );
  return { ...listed, _meta: { ...objectAt(listed, "_meta"), [CODES_KEY]: ofReasons.map((code) => code ?? null) } };
}
