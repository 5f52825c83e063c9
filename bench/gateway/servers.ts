import type { Server } from "node:http";
import { createLeanProxy } from "./lean.ts";
import { createPipedProxy } from "./piped.ts";
import { createStub } from "./upstream.ts";

/** The servers that are no gateway, by name. */
export const SERVERS = {
  stub: createStub,
  piped: createPipedProxy,
  lean: createLeanProxy,
} as const satisfies Record<string, (target: URL) => Server>;
export type ServerName = keyof typeof SERVERS;
