/** The members by which a result may say that it is a failure. */
interface Telling {
  readonly isError?: unknown;
  readonly error?: unknown;
  readonly error_class?: unknown;
  readonly structuredContent?: { readonly error_class?: unknown } | null;
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}

/**
 * Tells whether a result is worth a closer look. It only reads a few members, so that a success costs nothing; some
 * systems report failures without the protocol's flag.
 */
export function looksFailed(result: unknown): boolean {
  if (typeof result !== "object" || result === null) return false;
  const { isError, error, error_class, structuredContent, _meta } = result as Telling;
  return (
    isError === true ||
    (error !== undefined && error !== null) ||
    error_class !== undefined ||
    structuredContent?.error_class !== undefined ||
    _meta?.["recourse/error_class"] !== undefined ||
    _meta?.["error_class"] !== undefined
  );
}
