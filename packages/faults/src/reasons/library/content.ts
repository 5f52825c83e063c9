import { count, defineLibraryReason, mediaType, name } from "./define.ts";

/** The whole message is too large. */
export const message_too_large = defineLibraryReason("content/message_too_large", {
  kind: "invalid_input",
  text: "The message is too large[: {actualSize} bytes][, at most {maxSize}].",
  slots: { actualSize: count, maxSize: count },
});

/** The content type is not accepted. */
export const invalid_type = defineLibraryReason("content/invalid_type", {
  kind: "invalid_input",
  text: "The content type[ {contentType}] is not accepted.",
  slots: { contentType: mediaType },
});

/** One piece of content is too large. */
export const too_large = defineLibraryReason("content/too_large", {
  kind: "invalid_input",
  text: "A piece of the content is too large[: {actualSize} bytes][, at most {maxSize}].",
  slots: { actualSize: count, maxSize: count },
});

/** The bytes are not in the stated encoding. */
export const invalid_encoding = defineLibraryReason("content/invalid_encoding", {
  kind: "invalid_request",
  text: "The content is not valid[ {encoding}][ at byte {position}].",
  slots: { encoding: name, position: count },
});
