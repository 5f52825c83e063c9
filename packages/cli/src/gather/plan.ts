import { closeStdin } from "./stimuli/close-stdin.ts";
import { concurrent } from "./stimuli/concurrent.ts";
import { credentials } from "./stimuli/credentials.ts";
import type { Group } from "./stimuli/group.ts";
import { httpEdge } from "./stimuli/http-edge.ts";
import { notification, oddId, unknownVersion } from "./stimuli/ids-and-versions.ts";
import { deepJson, longMessages, malformedMessage } from "./stimuli/malformed-message.ts";
import { malformedParams } from "./stimuli/malformed-params.ts";
import { promptArgument, unknownCompletion, unknownPrompt, unknownResource } from "./stimuli/resources.ts";
import {
  hostileToolName,
  longToolName,
  misspeltTool,
  prototypeName,
  unknownMethod,
  unknownTool,
} from "./stimuli/unknown-tool.ts";
import { validCall } from "./stimuli/valid-call.ts";
import { wrongArguments } from "./stimuli/wrong-arguments.ts";

/** Groups of well-formed messages, the least harmful first. */
const ORDINARY: readonly Group[] = [
  unknownTool,
  prototypeName,
  misspeltTool,
  longToolName,
  hostileToolName,
  unknownMethod,
  unknownResource,
  unknownPrompt,
  unknownCompletion,
  oddId,
  notification,
  malformedParams,
  wrongArguments,
  validCall,
  promptArgument,
  concurrent,
];

/** Groups that may end a program, the most harmful last. */
const HARSH: readonly Group[] = [malformedMessage, deepJson, longMessages];

/** What is sent over each transport, in this order. Over stdio the two lists go to two processes. */
export const PLAN = {
  http: [...ORDINARY, unknownVersion, httpEdge, credentials, ...HARSH],
  stdio: { main: [...ORDINARY, closeStdin], side: HARSH, first: unknownVersion },
} as const;

/** How many requests one era may get. */
export const REQUESTS = { loopback: 200, elsewhere: 90 } as const;

/** How long one era may take, in milliseconds. */
export const ERA_MS = { usual: 90_000, slow: 240_000 } as const;
