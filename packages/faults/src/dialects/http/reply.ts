import type { Issue } from "../../fault/fault.ts";
import { booleanAt, integerAt, isJson, type Json, memberAt, objectAt, parseJson, stringAt } from "../wire.ts";
import { googleName, rawCodesOf, spelled } from "./codes.ts";
import type { HttpDecodeContext } from "./context.ts";
import { readDate } from "./dates.ts";
import { type Hint, type HintSource, hintOf } from "./hint.ts";
import { issuesOf } from "./issues.ts";

/** An HTTP reply, opened: what the rules look at. */
export interface Reply extends HintSource {
  readonly form: "empty" | "json" | "html" | "text";
  /** Codes as the body has them. */
  readonly rawCodes: readonly string[];
  /** The same in one spelling. */
  readonly codes: ReadonlySet<string>;
  /** The name of a google.rpc body. */
  readonly google: string | undefined;
  readonly issues: readonly Issue[];
  /** The wait that it names. */
  readonly hint: Hint | undefined;
  readonly context: HttpDecodeContext;
}

/** Opens `{ status, headers, body }`, or a problem document alone; undefined for everything else. */
export function openReply(wire: unknown, context: HttpDecodeContext): Reply | undefined {
  const status = integerAt(wire, "status");
  if (status === undefined || !isJson(wire)) return undefined;
  const isReply = "headers" in wire || "body" in wire || Object.keys(wire).length === 1;
  const isProblem = stringAt(wire, "type") !== undefined || stringAt(wire, "title") !== undefined;
  if (!(isReply || isProblem)) return undefined;
  const headers = headersOf(isReply ? objectAt(wire, "headers") : undefined);
  const header = (name: string) => headers.get(name)?.[0];
  const list = (name: string) => headers.get(name)?.join(", ");
  const opened = bodyOf(isReply ? memberAt(wire, "body") : wire, header("content-type"));
  const now = readDate(header("date"), context.now) ?? context.now;
  const source = { status, header, list, now, ...opened };
  const { body } = opened;
  const failed = status >= 400;
  const rawCodes = rawCodesOf(body);
  return {
    ...source,
    rawCodes,
    codes: new Set(rawCodes.map(spelled)),
    google: failed ? googleName(body) : undefined,
    issues: failed || booleanAt(body, "success") === false ? issuesOf(body) : [],
    hint: hintOf(source),
    context,
  };
}

/** Headers by their names in lower case; of two that differ only in case the first counts. */
function headersOf(headers: Json | undefined): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(headers ?? {})) {
    const values = (Array.isArray(value) ? value : [value]).filter((one) => ["string", "number"].includes(typeof one));
    const key = name.toLowerCase();
    if (values.length > 0 && !found.has(key)) found.set(key, values.map(String));
  }
  return found;
}

const HTML = /^<(?:!doctype|html|head|body|\?xml)/i;

function bodyOf(body: unknown, type = ""): Pick<Reply, "body" | "form"> {
  if (body === undefined || body === null || body === "") return { body: undefined, form: "empty" };
  if (typeof body !== "string") return { body, form: "json" };
  if (HTML.test(body.slice(0, 4_096).trimStart())) return { body, form: "html" };
  const parsed = parseJson(body);
  if (parsed !== undefined) return { body: parsed, form: "json" };
  return { body, form: /html/i.test(type.slice(0, 128)) ? "html" : "text" };
}
