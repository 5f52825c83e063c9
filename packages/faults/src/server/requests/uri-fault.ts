import type { Fault, Origin } from "../../fault/fault.ts";
import { invalid_uri, uri_syntax } from "../../reasons/library/resource.ts";

/** A `%` that two hexadecimal digits do not follow. */
const BROKEN_ESCAPE = /%(?![\da-f]{2})/i;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** What is wrong with the form of a URI that no resource has; undefined where nothing is. */
export function uriFault(uri: string, about: { readonly origin?: Origin } = {}): Fault | undefined {
  if (URL.canParse(uri) && !BROKEN_ESCAPE.test(uri)) return undefined;
  return SCHEME.test(uri) ? uri_syntax.fault({}, about) : invalid_uri.fault({ uri, reason: "missing_scheme" }, about);
}
