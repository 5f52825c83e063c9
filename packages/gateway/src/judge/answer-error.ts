/** How much of a body an operator can read. */
const MAX_LOGGED_BODY = 4_000;

/** The answer of an upstream as the cause of a failure. It goes only to the operator. */
export class UpstreamAnswer extends Error {
  override readonly name = "UpstreamAnswer";
  readonly status: number;

  constructor(upstream: string, { status, body }: { readonly status: number; readonly body: Buffer }, why: string) {
    const said = body.toString("utf8", 0, MAX_LOGGED_BODY);
    // The stack would show this gateway only, and costs more than all the rest.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(`${upstream} answered with status ${status}${why === "" ? "" : `, but ${why}`}: ${said}`);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
  }
}
