import type { Fault } from "../fault/fault.ts";
import { renderLog } from "./log.ts";
import { renderModel } from "./model.ts";
import { renderPerson } from "./person.ts";

const RENDERERS = { model: renderModel, person: renderPerson, log: renderLog } as const;

/** Who reads the text: a model, a person, or an operator with a log. */
export type Audience = keyof typeof RENDERERS;

/** Options of `render`. */
export interface RenderOptions {
  /** Who reads the text. */
  readonly for: Audience;
}

/**
 * Turns a fault into text. The same fault always gives the same text.
 *
 * @example
 * const text = render(fault, { for: "model" });
 * return { isError: true, content: [{ type: "text", text }] };
 */
export function render(fault: Fault, options: RenderOptions): string {
  return RENDERERS[options.for](fault);
}
