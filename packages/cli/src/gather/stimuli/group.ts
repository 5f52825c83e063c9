import type { JsonObject } from "@recourse/faults/internal-do-not-use";
import type { StimulusName } from "../../recording/stimuli.ts";
import type { ChosenTool } from "../safety/choose-tools.ts";
import type { Talk } from "../talk.ts";

/** What is known about the server when a group is sent. */
export interface EraFacts {
  readonly capabilities: JsonObject;
  readonly tools: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  /** Tools that get arguments. */
  readonly chosen: readonly ChosenTool[];
  readonly loopback: boolean;
  readonly allowPrompts: boolean;
  readonly slow: boolean;
}

/** One group of stimuli. */
export interface Group {
  readonly stimulus: StimulusName;
  run(talk: Talk, facts: EraFacts): Promise<void>;
}

/** Calls a tool that gets no arguments: for names that do not exist. */
export function callUnknown(
  talk: Talk,
  stimulus: StimulusName,
  variant: string | undefined,
  name: string,
): Promise<unknown> {
  return talk.request({ stimulus, variant }, "tools/call", { name, arguments: {} });
}
