import type { Command } from "../program/command.ts";
import { completionOf } from "./completion.ts";
import { decode } from "./decode.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { explain } from "./explain.ts";
import { init } from "./init.ts";
import { keys } from "./keys.ts";
import { peer } from "./peer.ts";
import { probe } from "./probe.ts";
import { serve } from "./serve.ts";

/**
 * Every command, in the order of the help. A command is a table; what it does is loaded when it runs:
 * `run: async (given, io) => (await import("../explain/run.ts")).runExplain(given, io)`.
 */
export const COMMANDS: readonly Command[] = [
  explain,
  probe,
  doctor,
  decode,
  peer,
  demo,
  init,
  serve,
  keys,
  completionOf(() => COMMANDS),
];
