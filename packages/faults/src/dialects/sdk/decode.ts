import type { Fault } from "../../fault/fault.ts";
import { execution_failed } from "../../reasons/library/tool.ts";
import type { DecodeContext } from "../dialect.ts";
import { readForm } from "../forms.ts";
import { plainOf, total } from "../plain.ts";
import { quoteOf } from "../prose.ts";
import { BY_CODE, readRpcError } from "../rpc.ts";
import { firstText, open } from "../wire.ts";
import { FORMS, GUESSED_FORMS } from "./forms.ts";
import { readLocal } from "./local.ts";
import { readProtocolError, readSdkForm, stripped } from "./protocol.ts";

/** Reads an error of the SDK that a program caught, or what the SDK's servers write on the wire. */
export function decode(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  return total(() => read(wire, context));
}

function read(wire: unknown, context: DecodeContext): Fault | undefined {
  const { result, error } = open(plainOf(wire));
  if (result?.["isError"] === true) return readText(firstText(result) ?? "", context);
  const local = readLocal(wire, context);
  if (local !== undefined || error === undefined) return local;
  const prefixed = stripped(error.message ?? "").code !== undefined;
  return prefixed ? readProtocolError(error, context) : readSdkForm(error, context);
}

/** A failed tool's text: version 1 writes the code of a thrown error in front of it. */
function readText(message: string, context: DecodeContext): Fault | undefined {
  const { text, code } = stripped(message);
  const fault = readForm(FORMS, { text, code }, context);
  if (fault !== undefined) return fault;
  if (code === undefined) return readForm(GUESSED_FORMS, { text, code }, context);
  // The handler chose the code, and what it had done by then is not known.
  const thrown = { ...context, effect: "possible" } as const;
  if (BY_CODE[code] !== undefined) return readRpcError({ code, message: text, data: undefined }, thrown);
  return execution_failed.fault({}, { ...context, ...SAID, ...quoteOf(text) });
}

const SAID = { basis: "mapped", recourse: [{ do: "refresh" }, { do: "stop" }] } as const;
