// What the command line calls: `recourse serve`, `recourse init`, `recourse keys` and `recourse health`.

export { findPagesUrl } from "./config-file.ts";
export { type InitOptions, init } from "./init.ts";
export type { CommandFailure, CommandIo, CommandOutcome } from "./io.ts";
export { type KeysOptions, manageKeys } from "./keys.ts";
export { type ServeOptions, serve } from "./serve.ts";
