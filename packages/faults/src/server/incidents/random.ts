import { createIdBytes } from "../../fault/id.ts";

/** 16 random bytes for an id. */
export const randomBytes: () => Uint8Array = createIdBytes((block) => crypto.getRandomValues(block));
