import type { Fault } from "../../fault/fault.ts";
import { readFault } from "../../fault/read.ts";
import type { DecodeContext } from "../dialect.ts";
import { readForm } from "../forms.ts";
import { FAULT_KEY, readRpcError } from "../rpc.ts";
import { memberAt, type RpcError } from "../wire.ts";
import { FORMS } from "./forms.ts";

const PREFIX = /^MCP error (-?\d{1,9}): /;

/** A message without what version 1 writes in front of it, once on each side, and the code that stood there. */
export function stripped(message: string): { readonly text: string; readonly code: number | undefined } {
  let text = message;
  let code: number | undefined;
  for (let times = 0; times < 8; times++) {
    const found = PREFIX.exec(text);
    if (found === null) break;
    code ??= Number(found[1]);
    text = text.slice(found[0].length);
  }
  return { text, code };
}

/** An error of JSON-RPC that came through the SDK: the whole fault, a fixed form, or what its code means. */
export function readProtocolError(error: RpcError, context: DecodeContext): Fault {
  return readSdkForm(error, context) ?? readRpcError({ ...error, message: plain(error.message) }, context);
}

/** The same, but only where it is surely the SDK's. */
export function readSdkForm(error: RpcError, context: DecodeContext): Fault | undefined {
  const whole = readFault(memberAt(error.data, FAULT_KEY), context);
  if (whole !== undefined) return whole;
  const text = plain(error.message);
  return text === undefined ? undefined : readForm(FORMS, { text, code: error.code }, context);
}

function plain(message: string | undefined): string | undefined {
  return message === undefined ? undefined : stripped(message).text;
}
