// One defect for each check, by the id of the check.
import type { Defect } from "../defect.ts";
import { AUTH, CHANNEL, PROTOCOL, ROBUSTNESS, STDIO } from "./protocol.ts";
import { CONSISTENCY, IDENTITY, LEAK, SIZE } from "./texts.ts";
import { RESOURCES, RETRY, TRUTHFULNESS, VALIDATION } from "./tools.ts";

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
