// One defect for each check, by the id of the check.
import type { Defect } from "../defect.ts";
import { AUTH } from "./auth.ts";
import { CHANNEL } from "./channel.ts";
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

export const DEFECTS: Readonly<Record<string, Defect>> = {
  ...LEAK,
  ...IDENTITY,
  ...CONSISTENCY,
  ...VALIDATION,
  ...TRUTHFULNESS,
  ...CHANNEL,
  ...PROTOCOL,
  ...ROBUSTNESS,
  ...STDIO,
  ...AUTH,
  ...RETRY,
  ...RESOURCES,
  ...SIZE,
};
