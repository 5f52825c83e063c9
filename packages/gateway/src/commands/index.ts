// What the command line calls: `recourse serve`, `recourse init` and `recourse keys`.

export { type InitOptions, init } from "./init.ts";
export type { CommandFailure, CommandIo, CommandOutcome } from "./io.ts";
export { type KeysOptions, manageKeys } from "./keys.ts";
export { type ServeOptions, serve } from "./serve.ts";
