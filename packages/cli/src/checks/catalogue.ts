import { AUTH } from "./auth.ts";
import { CHANNEL } from "./channel.ts";
import { CATEGORIES, type Category, type Check } from "./check.ts";
import { CONSISTENCY } from "./consistency.ts";
import { IDENTITY } from "./identity.ts";
import { LEAK } from "./leak.ts";
import { PROTOCOL } from "./protocol.ts";
import { RESOURCES } from "./resources.ts";
import { RETRY } from "./retry.ts";
import { ROBUSTNESS } from "./robustness.ts";
import { SIZE } from "./size.ts";
import { STDIO } from "./stdio.ts";
import { TRUTHFULNESS } from "./truthfulness.ts";
import { VALIDATION } from "./validation.ts";

const BY_CATEGORY: Readonly<Record<Category, readonly Check[]>> = {
  leak: LEAK,
  identity: IDENTITY,
  consistency: CONSISTENCY,
  validation: VALIDATION,
  truthfulness: TRUTHFULNESS,
  channel: CHANNEL,
  protocol: PROTOCOL,
  robustness: ROBUSTNESS,
  stdio: STDIO,
  auth: AUTH,
  retry: RETRY,
  resources: RESOURCES,
  size: SIZE,
};

/** Every check, in the order of reports. Docs pages, the matrix test and `--list-checks` are made from it. */
export const CHECKS: readonly Check[] = CATEGORIES.flatMap((category) => BY_CATEGORY[category]);
