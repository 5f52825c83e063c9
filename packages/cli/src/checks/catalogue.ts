import { ANSWER_CHECKS } from "./answers.ts";
import { AUTH_CHECKS } from "./auth.ts";
import { CHANNEL_CHECKS } from "./channel.ts";
import { CATEGORIES, type Category, type ProbeCheck } from "./check.ts";
import { CONSISTENCY_CHECKS } from "./consistency.ts";
import { IDENTITY_CHECKS } from "./identity.ts";
import { LEAK_CHECKS } from "./leak.ts";
import { PROTOCOL_CHECKS } from "./protocol.ts";
import { RESOURCE_CHECKS } from "./resources.ts";
import { RETRY_CHECKS } from "./retry.ts";
import { ROBUSTNESS_CHECKS } from "./robustness.ts";
import { SIZE_CHECKS } from "./size.ts";
import { STDIO_CHECKS } from "./stdio.ts";
import { TRUTHFULNESS_CHECKS } from "./truthfulness.ts";
import { VALIDATION_CHECKS } from "./validation.ts";

const BY_CATEGORY: Readonly<Record<Category, readonly ProbeCheck[]>> = {
  leak: LEAK_CHECKS,
  identity: IDENTITY_CHECKS,
  consistency: CONSISTENCY_CHECKS,
  validation: VALIDATION_CHECKS,
  truthfulness: TRUTHFULNESS_CHECKS,
  channel: CHANNEL_CHECKS,
  protocol: [...PROTOCOL_CHECKS, ...ANSWER_CHECKS],
  robustness: ROBUSTNESS_CHECKS,
  stdio: STDIO_CHECKS,
  auth: AUTH_CHECKS,
  retry: RETRY_CHECKS,
  resources: RESOURCE_CHECKS,
  size: SIZE_CHECKS,
};

/** Every check, in the order of reports. Docs pages, the matrix test and `--list-checks` are made from it. */
export const PROBE_CHECKS: readonly ProbeCheck[] = CATEGORIES.flatMap((category) => BY_CATEGORY[category]);
