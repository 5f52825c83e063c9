import type { Fault } from "@recourse/faults";
import type { RequestHead } from "../edge/head.ts";
import type { Caller } from "./caller.ts";

/** Finds out who calls, or refuses. It waits only for what is not in memory. */
export type Authenticator = (head: RequestHead) => Caller | Fault | Promise<Caller | Fault>;
