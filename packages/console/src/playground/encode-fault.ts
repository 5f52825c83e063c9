// A fault in every wire format. It holds all encoders, so it is loaded when somebody wants to see them.
import type { Fault } from "@recourse/core";
import { DIALECTS } from "@recourse/core/dialects";
import { FORMAT_NAMES } from "./format-names.ts";

/** A fault as one system sends it. */
export interface EncodedFault {
  /** The name of the system. */
  readonly name: string;
  /** What is sent, as JSON. */
  readonly json: string;
}

/** The fault in every wire format, as an answer to a call of a tool. */
export function encodeInAllFormats(fault: Fault): readonly EncodedFault[] {
  return (Object.keys(FORMAT_NAMES) as (keyof typeof FORMAT_NAMES)[]).map((dialect) => {
    const encode: (fault: Fault, context: { readonly method: string }) => unknown = DIALECTS[dialect].encode;
    return { name: FORMAT_NAMES[dialect], json: JSON.stringify(encode(fault, { method: "tools/call" }), null, 2) };
  });
}
