import { memberAt } from "@recourse/wire";
import { amendFault, worseEffect } from "../../fault/amend.ts";
import type { Fault } from "../../fault/fault.ts";
import { isRetryable, KINDS, type Kind, knownKind } from "../../fault/kinds.ts";
import {
  effectiveStatus,
  OWN_CREDENTIAL_REASONS,
  type ReasonOverrideFor,
  readByTable,
  withRequestId,
} from "../../reasons/http/read-reply.ts";
import { type HttpReplyContext, type OpenedReply, openHttpReply } from "../../reasons/http/reply.ts";
import type { DecodeContext } from "../dialect.ts";
import { readPeerFault } from "../peer-fault.ts";

/** Facts about the request, the service and the reader of an HTTP reply. */
export interface HttpDecodeContext extends DecodeContext, HttpReplyContext {}

/** Reads any HTTP reply: the fault in its body, or the reason that the table has for it. */
export function decodeHttp(wire: unknown, context: HttpDecodeContext = {}): Fault | undefined {
  return decodeHttpWith(wire, context, { overrideFor: () => undefined });
}

/** How a reader differs from one that knows nothing about the sender. */
export interface HttpReading {
  /** What some statuses mean to the reader. */
  readonly overrideFor: ReasonOverrideFor;
  /** The sender was called itself, so a fault in its reply is its own word about the call. @default false */
  readonly believesFaults?: boolean;
}

/** Like `decodeHttp`, for readers that know more about the sender. */
export function decodeHttpWith(wire: unknown, context: HttpDecodeContext, reading: HttpReading): Fault | undefined {
  const reply = openHttpReply(wire, context);
  if (reply === undefined) return undefined;
  const stated = reply.status >= 400 ? readPeerFault(memberAt(reply.body, "fault"), context) : undefined;
  return withRequestId(readHttpReply(reply, stated, reading), reply);
}

function readHttpReply(
  reply: OpenedReply,
  stated: Fault | undefined,
  { overrideFor, believesFaults = false }: HttpReading,
): Fault | undefined {
  const { context } = reply;
  const isBelieved = believesFaults || context.speaksFaults === true;
  if (stated !== undefined && isBelieved) return ownCredentialFault(stated, context) ?? stated;
  const read = readByTable(reply, effectiveStatus(reply), overrideFor);
  return stated === undefined ? read : withStated(stated, read, reply, overrideFor);
}

/**
 * Of a fault in the body of a service that is not known to send faults, kind and wait are believed. What the status says
 * about the effect is never lowered.
 */
function withStated(stated: Fault, read: Fault | undefined, reply: OpenedReply, overrideFor: ReasonOverrideFor) {
  const status = KINDS[knownKind(stated)].httpStatus;
  const named = readByTable(reply, { status, guessed: false }, overrideFor) ?? read;
  if (named === undefined) return undefined;
  const effect = [stated.effect, ...(read === undefined ? [] : [read.effect])].reduce(worseEffect, named.effect);
  const { allowed = true, afterMs } = stated.retry ?? {};
  const isWait = afterMs !== undefined && named.retry?.afterMs === undefined && isRetryable(named.kind as Kind);
  return amendFault(named, { effect, ...(isWait && { retry: { allowed, afterMs } }) });
}

function ownCredentialFault(stated: Fault, context: HttpReplyContext): Fault | undefined {
  const reason = context.credential === "own" ? OWN_CREDENTIAL_REASONS[knownKind(stated)] : undefined;
  return reason?.fault({}, { effect: stated.effect, basis: stated.basis === "guessed" ? "guessed" : "mapped" });
}
