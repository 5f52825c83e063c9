/** Placeholders in instructions: `<token>`, `${TOKEN}`, `FOO_API_KEY`, `your-key`, `...`. */
const PLACEHOLDER =
  /^(?:[<[{(%$].*|\.{2}.*|…|\*+|[A-Z]+(?:_[A-Z0-9]+)+|API|KEY|TOKEN|SECRET|PASSWORD|VALUE|HEX|JWT|JSON|STRING|NULL|NONE)$/;
const PLACEHOLDER_WORD =
  /^(?:your[-_ ].*|my[-_].*|x{3,}|n\/a|\[?redacted\]?|masked|hidden|example|placeholder|value|string|text|here)$/i;

/** Tells whether a value is a placeholder, as in documentation. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || PLACEHOLDER_WORD.test(value);
}
