import type { Fault } from "../fault/fault.ts";
import { renderLog } from "./log.ts";
import { renderModel } from "./model.ts";
import { renderPerson } from "./person.ts";

const RENDERERS = { model: renderModel, person: renderPerson, log: renderLog } as const;

/** Who reads the text. */
export type Reader = keyof typeof RENDERERS;

/** Turns a fault into text for a model, a person or a log; the same fault always gives the same text. */
export function render(fault: Fault, options: { readonly for: Reader }): string {
  return RENDERERS[options.for](fault);
}
