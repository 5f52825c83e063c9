import { BUSINESS } from "./replies/business.ts";
import { PLATFORMS } from "./replies/platforms.ts";
import { SOFTWARE } from "./replies/software.ts";
import type { Reply } from "./reply.ts";

/** A hundred replies; their place in this list is their id. */
export const REPLIES: readonly Reply[] = [...PLATFORMS, ...BUSINESS, ...SOFTWARE];
