import type { Fault } from "../../fault/fault.ts";
import { type Arbitrary, type Combinators, objectWith } from "./fast-check.ts";
import { anyText } from "./text.ts";
import { anyFailure, type ErrorResult, type Failure, type HttpFailure, type RpcFailure } from "./wires.ts";

/** A result of a tool that succeeded. */
export interface SuccessResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: false;
}

/** A success as it crosses a wire. */
export interface Success {
  readonly wire: SuccessResult;
  readonly fault: undefined;
  readonly dialect: undefined;
}

/** How a call may end. */
export type Outcome = Success | Failure<ErrorResult | RpcFailure | HttpFailure>;

function anySuccess(fc: Combinators): Arbitrary<Success> {
  const text = anyText(fc);
  const wire = objectWith<SuccessResult>(fc, ["content"], {
    content: fc.array(
      text.map((said) => ({ type: "text", text: said }) as const),
      { maxLength: 3 },
    ),
    // The names are those of honest answers: some systems put their failures here under names of their own.
    structuredContent: objectWith<Record<string, unknown>>(fc, [], {
      items: fc.array(text),
      total: fc.nat(),
      next: text,
    }),
    isError: fc.constant(false),
  });
  return wire.map((result) => ({ wire: result, fault: undefined, dialect: undefined }));
}

/** A success, or a failure in any form and dialect. */
export function anyOutcome(fc: Combinators, faults: Arbitrary<Fault>): Arbitrary<Outcome> {
  return fc.oneof<Outcome>(
    anySuccess(fc),
    anyFailure(fc, faults, "result"),
    anyFailure(fc, faults, "error"),
    anyFailure(fc, faults, "reply"),
  );
}
