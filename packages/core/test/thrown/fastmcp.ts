// The error classes of fastmcp 4.20. Its package is not installed: a dependency runs a script, and others have licences that
// this repository does not accept.
class FastMCPError extends Error {
  constructor(message?: string) {
    super(message);
    this.name = new.target.name;
  }
}

class UnexpectedStateError extends FastMCPError {
  readonly extras: Readonly<Record<string, unknown>> | undefined;

  constructor(message: string, extras?: Readonly<Record<string, unknown>>) {
    super(message);
    this.extras = extras;
  }
}

/** The error that its author addresses to the user. */
export class UserError extends UnexpectedStateError {}

/** An error of the framework. */
export { UnexpectedStateError };
