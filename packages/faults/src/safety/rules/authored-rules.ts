import type { PatternRule } from "./rule.ts";
export const AUTHORED_RULES: readonly PatternRule[] = [{ id: "credential.jwt", find: /\beyJ[A-Za-z0-9_-]{6}/ }];
