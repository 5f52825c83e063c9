import { memberAt } from "../../json/read.ts";
import { callerTextsOf } from "../../safety/caller-texts.ts";
import type { SdkRequest } from "../../sdk/server.ts";
import type { GuardOptions } from "../options.ts";

/** The part of the parameters of each method that a caller fills in freely. */
const FREE_PARTS: Readonly<Record<string, (params: unknown) => unknown>> = {
  "tools/call": (params) => memberAt(params, "arguments"),
  "prompts/get": (params) => memberAt(params, "arguments"),
  "resources/read": (params) => memberAt(params, "uri"),
  "resources/subscribe": (params) => memberAt(params, "uri"),
  "resources/unsubscribe": (params) => memberAt(params, "uri"),
  "completion/complete": (params) => [
    memberAt(memberAt(params, "argument"), "value"),
    memberAt(memberAt(params, "context"), "arguments"),
  ],
};

/** What a caller sent with a request: its arguments, or the address that it asked for. */
export function sentWith({ method, params }: SdkRequest): unknown {
  return Object.hasOwn(FREE_PARTS, method) ? FREE_PARTS[method]?.(params) : undefined;
}

/** The texts in what a caller sent, which it may read again. They are collected only where text of others may be shown. */
export function callerTextsFor(sent: unknown, { foreignText }: Pick<GuardOptions, "foreignText">): readonly string[] {
  return foreignText === "hide" ? [] : callerTextsOf(sent);
}
