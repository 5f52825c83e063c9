import { AGENTS } from "./agents.ts";
import { CAMPAIGNS } from "./campaigns.ts";
import { CLIENTS } from "./clients.ts";
import type { Operation } from "./operation.ts";
import { WEBHOOKS } from "./webhooks.ts";

/** The whole REST API. */
export const OPERATIONS: readonly Operation[] = [...CLIENTS, ...AGENTS, ...CAMPAIGNS, ...WEBHOOKS];
