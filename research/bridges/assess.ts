import { readFault } from "@recourse/core";
import { findLeaks } from "@recourse/testing";
import type { Reply } from "./reply.ts";

/** What came of one call, as the client has it. */
export interface Answer {
  /** The result, or the error that the client threw. */
  readonly seen: unknown;
  /** A result with `isError`, or a protocol error. */
  readonly isFailure: boolean;
  /** The client gave up. */
  readonly isMissing: boolean;
}

/** What a client can tell from an answer. */
export interface Verdict {
  /** Right about whether the call failed. */
  readonly recognised: boolean;
  /** The status stands in the answer, or a fault of the right kind; undefined for a success. */
  readonly cause: boolean | undefined;
  /** The wait that the service named stands in the answer; undefined where it named none. */
  readonly wait: boolean | undefined;
  /** Something that must not cross. */
  readonly leaked: boolean;
  readonly isMissing: boolean;
}

/** Looks at an answer through the eyes of a client. */
export function assess(reply: Reply, { seen, isFailure, isMissing }: Answer, canaries: readonly string[]): Verdict {
  const text = JSON.stringify(seen) ?? "";
  const fault = readFault((seen as { _meta?: Record<string, unknown> } | undefined)?._meta?.["recourse/fault"]);
  const isKind = (reply.kinds as readonly string[]).includes(fault?.kind ?? "");
  // The status of a success says nothing about a failure in its body.
  const hasStatus = reply.status >= 300 && new RegExp(`\\b${reply.status}\\b`).test(text);
  const seconds = (reply.waitMs ?? 0) / 1_000;
  const named = `(?:${seconds}(?:\\.0)?\\s?(?:s|sec|seconds)?|${reply.waitMs}\\s?(?:ms)?)`;
  const waits = new RegExp(`(?:retry|wait|again)[^\\n]{0,40}?\\b${named}\\b`, "i");
  return {
    recognised: !isMissing && isFailure === reply.kinds.length > 0,
    cause: reply.kinds.length === 0 ? undefined : isKind || hasStatus,
    wait: reply.waitMs === undefined ? undefined : fault?.retry?.afterMs === reply.waitMs || waits.test(text),
    leaked: findLeaks(seen, canaries).length > 0,
    isMissing,
  };
}
