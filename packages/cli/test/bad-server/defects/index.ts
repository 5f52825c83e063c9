// One defect for each check, by the id of the check.
import type { Defect, Seed } from "../defect.ts";
import { CONVERSATION_SEEDS } from "./conversation-seeds.ts";
import { ANSWERS, AUTH, CHANNEL, PROTOCOL, ROBUSTNESS, STDIO } from "./protocol.ts";
import { TEXT_SEEDS } from "./text-seeds.ts";
import { CONSISTENCY, IDENTITY, LEAK, SIZE } from "./texts.ts";
import { TOOL_SEEDS } from "./tool-seeds.ts";
import { RESOURCES, RETRY, TRUTHFULNESS, VALIDATION } from "./tools.ts";

export const DEFECTS: Readonly<Record<string, Defect>> = {
  ...LEAK,
  ...IDENTITY,
  ...CONSISTENCY,
  ...VALIDATION,
  ...TRUTHFULNESS,
  ...CHANNEL,
  ...PROTOCOL,
  ...ANSWERS,
  ...ROBUSTNESS,
  ...STDIO,
  ...AUTH,
  ...RETRY,
  ...RESOURCES,
  ...SIZE,
};

/** Further forms of defects, by the id of the check and a word. */
export const SEEDS: Readonly<Record<string, Seed>> = { ...TEXT_SEEDS, ...TOOL_SEEDS, ...CONVERSATION_SEEDS };

/** Every server that can be started. */
export const EVERY_DEFECT: Readonly<Record<string, Defect>> = { ...DEFECTS, ...SEEDS };
