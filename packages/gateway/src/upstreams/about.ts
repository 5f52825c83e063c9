import { type JsonObject, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";

/** What an upstream said about itself. */
export interface About {
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

/** Who asks. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** What the result of `initialize` or `server/discover` says about the upstream. */
export function aboutOf(result: JsonObject): About {
  return { capabilities: objectAt(result, "capabilities") ?? {}, instructions: stringAt(result, "instructions") };
}
