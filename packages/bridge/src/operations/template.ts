import type { PathPart } from "./operation.ts";

/** Characters that end or change a path. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be in a path.
const UNSAFE = /[\\?#\s\u0000-\u001f\u007f]|%2f|%5c/i;

/**
 * The segments of a path template; undefined when the path is not plainly one: it must not leave its base, and no
 * segment in it may be empty or mean a directory.
 */
export function segmentsOf(path: string): readonly (readonly PathPart[])[] | undefined {
  if (!path.startsWith("/") || path.length > 1_024 || !path.isWellFormed() || UNSAFE.test(path)) return undefined;
  const texts = path.slice(1).split("/");
  // A slash at the end is part of many addresses.
  const isWhole = texts.every((text, index) => text !== "" || index === texts.length - 1);
  if (!isWhole || texts.some((text) => isDots(text))) return undefined;
  const segments = texts.map(partsOf);
  return segments.every((parts) => parts !== undefined) ? segments : undefined;
}

/** Whether a segment means this directory or the one above; servers may decode it first, or cut it at a semicolon. */
export function isDots(segment: string): boolean {
  return /^(?:\.|%2e){1,2}(?:;|%3b|$)/i.test(segment);
}

/** The keys of the parameters in a path. */
export function parametersIn(segments: readonly (readonly PathPart[])[]): ReadonlySet<string> {
  return new Set(segments.flat().flatMap((part) => ("parameter" in part ? [part.parameter] : [])));
}

function partsOf(text: string): readonly PathPart[] | undefined {
  const parts: PathPart[] = [];
  for (const [piece, parameter] of text.matchAll(/\{([^{}]+)\}|[^{}]+|[{}]/g)) {
    if (piece === "{" || piece === "}") return undefined;
    parts.push(parameter === undefined ? { text: piece } : { parameter });
  }
  return parts;
}
