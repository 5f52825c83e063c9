/** How much of a body an operator gets to read. */
const LONGEST = 4_000;

/** What a service answered, for the operator alone: it is the cause in an incident and never leaves with a fault. */
export class UpstreamReply extends Error {
  override readonly name = "UpstreamReply";
  readonly status: number;

  constructor(what: string, status: number, body: string) {
    super(`${what} answered with status ${status}: ${body.slice(0, LONGEST)}`);
    this.status = status;
  }
}
