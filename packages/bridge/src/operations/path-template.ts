import type { PathPart } from "./operation.ts";

/** Characters that end a path or change its meaning. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be in a path.
const UNSAFE_IN_TEMPLATE = /[\\?#\s\u0000-\u001f\u007f]|%2f|%5c/i;

/**
 * The segments of a path template. Undefined when the path could leave its base: it has an empty segment, or one that means
 * a directory.
 */
export function parsePathTemplate(path: string): readonly (readonly PathPart[])[] | undefined {
  if (!path.startsWith("/") || path.length > 1_024 || !path.isWellFormed() || UNSAFE_IN_TEMPLATE.test(path))
    return undefined;
  const texts = path.slice(1).split("/");
  // Many addresses end with a slash.
  const isWhole = texts.every((text, index) => text !== "" || index === texts.length - 1);
  if (!isWhole || texts.some((text) => isDotSegment(text))) return undefined;
  const segments = texts.map(parseSegment);
  return segments.every((parts) => parts !== undefined) ? segments : undefined;
}

/** Whether a segment means this directory or its parent. Servers may decode the segment, or cut it at a semicolon. */
export function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){1,2}(?:;|%3b|$)/i.test(segment);
}

/** The names of the parameters in a path template. */
export function pathParameters(segments: readonly (readonly PathPart[])[]): ReadonlySet<string> {
  return new Set(segments.flat().flatMap((part) => ("parameter" in part ? [part.parameter] : [])));
}

function parseSegment(text: string): readonly PathPart[] | undefined {
  const parts: PathPart[] = [];
  for (const [piece, parameter] of text.matchAll(/\{([^{}]+)\}|[^{}]+|[{}]/g)) {
    if (piece === "{" || piece === "}") return undefined;
    parts.push(parameter === undefined ? { text: piece } : { parameter });
  }
  return parts;
}
