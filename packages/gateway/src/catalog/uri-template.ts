import { compileParts, type NameTest } from "./pattern.ts";

/**
 * Compiles a URI template (RFC 6570). Every expression may stand for any text, since only the server knows what its
 * variables take; the literal text around the expressions has to be there.
 */
export function compileUriTemplate(template: string): NameTest {
  return compileParts(template.split(/\{[^{}]*\}/));
}
