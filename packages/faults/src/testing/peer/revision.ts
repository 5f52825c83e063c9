import { stringAt } from "../../dialects/wire.ts";
import type { Ask } from "./message.ts";

/** Revisions that begin with `initialize`. */
export const LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;
/** The revision in which every request stands alone. */
export const MODERN = "2026-07-28";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
export const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
export const SERVER_KEY = "io.modelcontextprotocol/serverInfo";

/** The version in the envelope of a request; only the modern revision has one. */
export function envelopeVersion(ask: Ask): string | undefined {
  return stringAt(ask.meta, VERSION_KEY);
}
