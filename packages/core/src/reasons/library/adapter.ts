import { name, reason } from "./define.ts";

/** The backend behind an adapter failed. */
export const failed = reason("adapter/failed", "upstream_failed", "The backend of this tool has failed[: {originalError}].", { originalError: name });
/** The backend behind an adapter cannot be reached. */
export const unavailable = reason("adapter/unavailable", "unavailable", "The backend of this tool is not available at the moment.");
/** The adapter does not offer the operation. */
export const not_implemented = reason("adapter/not_implemented", "unsupported", "The backend of this tool does not support this operation.");
