import { description_too_long } from "../../reasons/library/tool.ts";
import type { SdkTool } from "../../sdk/server.ts";
import type { GuardOptions } from "../options.ts";
import { codeFacts } from "../replies/dialect-choice.ts";
import { requestOf } from "../replies/reply.ts";
import type { Reporter } from "../reporter.ts";

/** The longest description that every client can be expected to take. */
const MAX_LENGTH = 10_000;
/** Over HTTP a server may live for one request only, so what was reported is remembered beyond it; up to a limit. */
const reported = new Set<string>();
const MAX_REPORTED = 1_000;

/** Who reports, and the request for the list. */
interface ListedTo {
  readonly reporter: Reporter;
  readonly options: GuardOptions;
  readonly context: unknown;
}

/**
 * Reports, once for each tool, descriptions that some clients cut or refuse. They are listed as they are: the protocol has
 * no limit, and a cut text would mislead a model that could have read it whole.
 */
export function reportLongDescriptions(
  tools: Readonly<Record<string, SdkTool>>,
  { reporter, options, context }: ListedTo,
): void {
  for (const [tool, { description = "" }] of Object.entries(tools)) {
    const actualLength = lengthOf(description);
    const what = `${actualLength} ${tool}`;
    if (actualLength <= MAX_LENGTH || reported.has(what) || reported.size >= MAX_REPORTED) continue;
    reported.add(what);
    const fault = description_too_long.fault({ actualLength, maxLength: MAX_LENGTH });
    const place = { method: "tools/list", tool, context };
    reporter.report(fault, undefined, place, codeFacts(fault, options.dialect, requestOf(place)));
  }
}

/** The number of characters, where the units of UTF-16 are too many; else that of the units, which costs nothing. */
function lengthOf(text: string): number {
  return text.length > MAX_LENGTH ? [...text].length : text.length;
}
