// The slots that the library's own reasons share. Each is marked pure, so that a bundle holds only those in use.
import { duration, id, integer, list, media, method, optional, text, uri } from "../slot.ts";
import type { Slot } from "../slot-type.ts";

/** A short name that somebody else chose. */
export const name: Slot<string, true> = /* @__PURE__ */ optional(/* @__PURE__ */ text(64));
/** A longer piece of text that somebody else chose. */
export const phrase: Slot<string, true> = /* @__PURE__ */ optional(/* @__PURE__ */ text(120));
/** A few names. */
export const names: Slot<readonly string[], true> = /* @__PURE__ */ optional(
  /* @__PURE__ */ list(/* @__PURE__ */ text(64)),
);
/** A number of things. */
export const count: Slot<number, true> = /* @__PURE__ */ optional(integer);
/** A length of time in ms. */
export const span: Slot<number, true> = /* @__PURE__ */ optional(duration);
/** Where a resource is. */
export const address: Slot<string, true> = /* @__PURE__ */ optional(uri);
/** A method of the protocol. */
export const verb: Slot<string, true> = /* @__PURE__ */ optional(method);
/** A media type. */
export const mediaType: Slot<string, true> = /* @__PURE__ */ optional(media);
/** An id of ours. */
export const minted: Slot<string, true> = /* @__PURE__ */ optional(id);
