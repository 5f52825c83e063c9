import { HOSTILE_RULES } from "./hostile.ts";
import { OVERRIDE_PHRASE_RULES } from "./override-phrases.ts";
import type { PatternRule } from "./rule.ts";
export const MODEL_RULES: readonly PatternRule[] = [...HOSTILE_RULES.slice(2), ...OVERRIDE_PHRASE_RULES];
