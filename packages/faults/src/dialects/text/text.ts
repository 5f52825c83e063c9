import type { Fault } from "../../fault/fault.ts";
import { execution_failed } from "../../reasons/library/tool.ts";
import type { DecodeContext, Decoder } from "../dialect.ts";
import { quoteOf } from "../prose.ts";
import { firstText, open } from "../wire.ts";
import { WORDS } from "./words.ts";

/** How much of a text is searched for words: what matters is said early. */
const SEARCHED = 600;

function decode(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result } = open(wire);
  if (result?.["isError"] !== true) return undefined;
  const text = firstText(result);
  const head = text?.slice(0, SEARCHED) ?? "";
  const reason = WORDS.find(([says]) => says.test(head))?.[1];
  // A word proves nothing about what happened: nothing is claimed and nothing may be repeated on its strength.
  const guess = { ...context, ...quoteOf(text), basis: "guessed", effect: "possible" } as const;
  return reason?.fault({}, guess) ?? execution_failed.fault({}, { ...guess, recourse: SAID });
}

const SAID = [{ do: "refresh" }, { do: "stop" }] as const;

/** A failed tool's plain text, by anybody: the kind is guessed from its words. */
export const text: Decoder = { name: "text", decode };
