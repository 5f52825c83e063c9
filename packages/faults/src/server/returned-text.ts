/** The text of a failed result that the caller did not get, as the cause of an incident. */
export class ReturnedText extends Error {
  override readonly name = "ReturnedText";
  /** The result, as the handler returned it. */
  readonly result: unknown;
  /** The rule that a text in it matches. Undefined where no text of others is shown. */
  readonly rule: string | undefined;

  constructor(text: string, { result, rule }: { readonly result: unknown; readonly rule?: string | undefined }) {
    super(text);
    this.result = result;
    this.rule = rule;
    // The handler has returned, so a stack would show nothing but this library.
    this.stack = `${this.name}: ${text}`;
  }
}
