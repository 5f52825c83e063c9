// Slots that several reasons of the library use. They are marked as pure, so that a bundle contains only those in use.

import type { FaultDetails } from "../../fault/build.ts";
import type { Kind } from "../../fault/kinds.ts";
import { createReason } from "../define.ts";
import { date, duration, id, integer, list, media, method, optional, text, uri } from "../slot.ts";
import type { AnySlot, Reason, Slot } from "../types.ts";

/**
 * Defines a reason of the library in one line. Tests check the definitions, so that those who import a reason do not pay for
 * the checks in bytes.
 */
/* @__NO_SIDE_EFFECTS__ */
export function reason<
  const Id extends string,
  const K extends Kind,
  const Text extends string,
  const Slots extends Readonly<Record<string, AnySlot>> = Readonly<Record<never, AnySlot>>,
>(
  id: Id,
  kind: K,
  text: Text,
  slots?: Slots,
  details?: FaultDetails,
): Reason<Id, { kind: K; text: Text; slots: Slots }> {
  const made: unknown = createReason(id, { kind, text, slots: slots ?? {}, details: details ?? {} });
  return made as Reason<Id, { kind: K; text: Text; slots: Slots }>;
}

/** A short name. */
export const name: Slot<string, true> = /* @__PURE__ */ optional(/* @__PURE__ */ text(64));
/** A longer text. */
export const phrase: Slot<string, true> = /* @__PURE__ */ optional(/* @__PURE__ */ text(120));
/** Several names. */
export const names: Slot<readonly string[], true> = /* @__PURE__ */ optional(
  /* @__PURE__ */ list(/* @__PURE__ */ text(64)),
);
/** A number. */
export const count: Slot<number, true> = /* @__PURE__ */ optional(integer);
/** A duration in milliseconds. */
export const milliseconds: Slot<number, true> = /* @__PURE__ */ optional(duration);
/** A time in ISO 8601. */
export const time: Slot<string, true> = /* @__PURE__ */ optional(date);
/** The URI of a resource. */
export const resourceUri: Slot<string, true> = /* @__PURE__ */ optional(uri);
/** The name of a method. */
export const methodName: Slot<string, true> = /* @__PURE__ */ optional(method);
/** A media type. */
export const mediaType: Slot<string, true> = /* @__PURE__ */ optional(media);
/** An id that was made with `formatId`. */
export const idSlot: Slot<string, true> = /* @__PURE__ */ optional(id);
