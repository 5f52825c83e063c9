// What every known code means, as `recourse explain` says it, so that the page of all errors can look codes up without the library.
import { STATUS_CODES } from "node:http";
import { catalogue } from "@recourse/explain";
import { type CodeTopic, findTopic, topicNames } from "../../packages/cli/src/explain/find-topic.ts";
import { SYSTEM_CODES } from "../../packages/core/src/errors/system-codes.ts";
import { CODE_RANGES, CODES, type CodeRange } from "../../packages/explain/src/data/systems.ts";

/** What a code means if one sender sends it. */
export interface CodeSense {
  readonly sender: string;
  /** The HTTP status that tells it from other meanings. */
  readonly status?: number;
  readonly meaning: string;
  readonly advice: string;
  readonly effect: string;
  readonly reason: string;
}

/** A code with all its meanings. */
export interface KnownCode {
  /** What the number says by itself. */
  readonly rule?: string;
  readonly senses: readonly CodeSense[];
}

/** All codes by their names, and what JSON-RPC says about numbers that are not among them. */
export interface CodeBook {
  readonly codes: Readonly<Record<string, KnownCode>>;
  readonly ranges: readonly CodeRange[];
}

/** Every code that has a meaning. */
export function listCodes(): readonly string[] {
  const names = [
    ...Object.keys(CODES),
    ...Object.values(catalogue).flatMap(({ doc }) => (doc.codes ?? []).map(({ code }) => code)),
    ...Object.keys(STATUS_CODES),
    ...Object.keys(SYSTEM_CODES).map((name) => name.toUpperCase()),
    ...topicNames(),
  ];
  return [...new Set(names)].filter((name) => findCode(name) !== undefined).toSorted();
}

function findCode(name: string): CodeTopic | undefined {
  const topic = findTopic(name);
  return topic?.topic === "code" && topic.meanings.length > 0 ? topic : undefined;
}

/** Makes the book of codes. */
export function makeCodeBook(): CodeBook {
  const entries = listCodes().map((name): readonly [string, KnownCode] => {
    const { rule, meanings = [] } = findCode(name) ?? {};
    const senses = meanings.map(({ sender, status, meaning, advice, effect, reason }) => ({
      sender,
      ...(status !== undefined && { status }),
      meaning,
      advice,
      effect,
      reason,
    }));
    return [name, { ...(rule !== undefined && { rule }), senses }];
  });
  return { codes: Object.fromEntries(entries), ranges: CODE_RANGES };
}
