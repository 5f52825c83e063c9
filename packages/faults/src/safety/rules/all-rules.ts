import { ASSIGNED_SECRET_RULES } from "./assigned.ts";
import { CODE_RULES } from "./code.ts";
import { CREDENTIAL_RULES } from "./credential.ts";
import { DATABASE_RULES } from "./database.ts";
import { HOST_RULES } from "./host.ts";
import { HOSTILE_RULES } from "./hostile.ts";
import { ID_RULES } from "./id.ts";
import { MARKUP_RULES } from "./markup.ts";
import { MODEL_RULES } from "./model-rules.ts";
import { PATH_RULES } from "./path.ts";
import { PERSONAL_RULES } from "./personal.ts";
import { PROVIDER_RULES } from "./provider.ts";
import type { PatternRule } from "./rule.ts";
import { SYSTEM_RULES } from "./system.ts";
import { URL_RULES } from "./url.ts";

/** All rules, in the order in which they are applied. */
export const PATTERN_RULES = [
  ...CREDENTIAL_RULES,
  ...ASSIGNED_SECRET_RULES,
  ...PERSONAL_RULES,
  ...URL_RULES,
  ...HOST_RULES,
  ...PATH_RULES,
  ...CODE_RULES,
  ...SYSTEM_RULES,
  ...DATABASE_RULES,
  ...PROVIDER_RULES,
  ...ID_RULES,
  ...HOSTILE_RULES,
  ...MODEL_RULES,
  ...MARKUP_RULES,
] as const satisfies readonly PatternRule[];

/** The id of a rule. Removed texts are counted by it. */
export type RuleId = (typeof PATTERN_RULES)[number]["id"];
