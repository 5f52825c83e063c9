import { count, mediaType, name, reason } from "./define.ts";

/** The whole message is too large. */
export const message_too_large = reason("content/message_too_large", "invalid_input", "The message is too large[: {actualSize} bytes][, at most {maxSize}].", { actualSize: count, maxSize: count });
/** The content type is not accepted. */
export const invalid_type = reason("content/invalid_type", "invalid_input", "The content type[ {contentType}] is not accepted.", { contentType: mediaType });
/** One piece of content is too large. */
export const too_large = reason("content/too_large", "invalid_input", "A piece of the content is too large[: {actualSize} bytes][, at most {maxSize}].", { actualSize: count, maxSize: count });
/** The bytes are not in the stated encoding. */
export const invalid_encoding = reason("content/invalid_encoding", "invalid_request", "The content is not valid[ {encoding}][ at byte {position}].", { encoding: name, position: count });
