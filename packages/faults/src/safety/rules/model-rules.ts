import { INSTRUCTION_RULES } from "./instructions.ts";
import { MIXED_SCRIPT_RULES } from "./mixed-script.ts";
import type { PatternRule } from "./rule.ts";

/**
 * Instructions aimed at a model: all that a client looks for in the text of a server. They need neither the other
 * rules nor a prefilter.
 */
export const MODEL_RULES = [...INSTRUCTION_RULES, ...MIXED_SCRIPT_RULES] as const satisfies readonly PatternRule[];
