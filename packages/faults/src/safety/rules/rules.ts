import { ASSIGNED } from "./assigned.ts";
import { CODE } from "./code.ts";
import { CREDENTIAL } from "./credential.ts";
import { DATABASE } from "./database.ts";
import { HOST } from "./host.ts";
import { HOSTILE } from "./hostile.ts";
import { ID } from "./id.ts";
import { MARKUP } from "./markup.ts";
import { PATH } from "./path.ts";
import { PERSONAL } from "./personal.ts";
import { PROVIDER } from "./provider.ts";
import type { Rule } from "./rule.ts";
import { SYSTEM } from "./system.ts";
import { TONGUES } from "./tongues.ts";
import { URL_RULES } from "./url.ts";

/** All rules, in the order in which they are tried. */
export const RULES = [
  ...CREDENTIAL,
  ...ASSIGNED,
  ...PERSONAL,
  ...URL_RULES,
  ...HOST,
  ...PATH,
  ...CODE,
  ...SYSTEM,
  ...DATABASE,
  ...PROVIDER,
  ...ID,
  ...HOSTILE,
  ...TONGUES,
  ...MARKUP,
] as const satisfies readonly Rule[];

/** The name of a rule, as it is counted. */
export type RuleId = (typeof RULES)[number]["id"];
