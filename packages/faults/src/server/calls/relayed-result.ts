import { decodeEmbeddedFault } from "../../dialects/mcp/decode.ts";
import { amendFault, worseEffect } from "../../fault/amend.ts";
import { FAULT_KEY } from "../../json/names.ts";
import { isObject, memberAt, objectAt } from "../../json/read.ts";
import type { GuardOptions } from "../options.ts";
import { releaseFault } from "../release.ts";
import { wasSentHere } from "../sent-faults.ts";
import { callerTextsFor } from "./sent-by-caller.ts";

/** What is known about the tool that returned a result. */
interface RelayOptions extends Pick<GuardOptions, "foreignText" | "allow" | "speaksFaults"> {
  /** The tool changes nothing. */
  readonly isReadOnly: boolean;
  /** What the caller sent to it. */
  readonly sent: unknown;
}

/**
 * A failed result that a handler returned. A fault in it may be the word of another server, whose result the handler passes
 * on: it is believed as far as kind and wait, its texts pass `foreignText`, and it cannot say that nothing happened.
 */
export function checkRelayed(result: unknown, options: RelayOptions): unknown {
  if (options.speaksFaults === true || !isObject(result) || result["isError"] !== true) return result;
  if (wasSentHere(memberAt(result["_meta"], FAULT_KEY))) return result;
  const filter = { ...options, callerTexts: callerTextsFor(options.sent, options) };
  const stated = decodeEmbeddedFault(result, filter);
  if (stated === undefined) return result;
  const { fault } = releaseFault(stated, filter);
  const effect = worseEffect(options.isReadOnly ? "none" : "possible", fault.effect);
  const relayed = amendFault(fault, { effect, incident: undefined, origin: { layer: "upstream" } });
  return { ...result, _meta: { ...objectAt(result, "_meta"), [FAULT_KEY]: relayed } };
}
