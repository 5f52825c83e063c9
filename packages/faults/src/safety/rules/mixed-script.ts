import type { PatternRule } from "./rule.ts";

/** Words in which letters of another script stand for Latin ones, so that filters do not know them. */
export const MIXED_SCRIPT_RULES = [
  {
    id: "hostile.mixed-script",
    find: /[a-z][\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u03bf\u03b1\u03bd\u03c1\u03b9\u03b5][a-z]|(?<!\p{L})[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u03bf\u03b1\u03c1][a-z]{2}|(?<=[a-z]{2})[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u03bf](?!\p{L})/iu,
  },
] as const satisfies readonly PatternRule[];
