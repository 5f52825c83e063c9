import { type Fault, knownKind, type RetryAdvice, render } from "@recourse/faults";
import { defineDialect } from "@recourse/faults/dialects";
import { auth, core } from "@recourse/faults/reasons";

/** Five codes for everything. A reason of the table has its own code, any other the code of its kind, or else L-500. */
const REASONS = {
  "L-404": core.not_found,
  "L-403": auth.not_authorized,
  "L-409": core.conflict,
  "L-429": core.rate_limited,
  "L-500": core.internal,
} as const;
type Code = keyof typeof REASONS;
const CODES = Object.keys(REASONS) as Code[];

function codeOf(fault: Fault): Code {
  return CODES.find((code) => REASONS[code].kind === knownKind(fault)) ?? "L-500";
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** A wire from scratch: code, sentence and how certain they are, in `structuredContent.failure` of a failed result. */
export const plainLibrary = defineDialect({
  name: "plain_library",
  codes: { codeOf, published: () => Object.fromEntries(CODES.map((code) => [code, REASONS[code].id])) },
  encode(fault) {
    const { message, quote, effect, basis, retry } = fault;
    const sentence = quote?.from === "peer" ? quote.text : message;
    const failure = { code: codeOf(fault), sentence, effect, basis, ...(retry && { retry }) };
    const content = [{ type: "text" as const, text: render(fault, { for: "model" }) }];
    return { result: { isError: true as const, content, structuredContent: { failure } } };
  },
  decode(wire, context) {
    const result = member(wire, "result") ?? wire;
    const failure = member(member(result, "structuredContent"), "failure");
    const code = CODES.find((one) => one === member(failure, "code"));
    if (member(result, "isError") !== true || code === undefined) return undefined;
    const effect = member(failure, "effect");
    // Building the fault drops what does not fit, so the members need no further checks.
    return REASONS[code].fault(
      {},
      {
        ...context,
        effect: effect === "none" || effect === "applied" ? effect : "possible",
        basis: member(failure, "basis") === "guessed" ? "guessed" : "mapped",
        retry: member(failure, "retry") as RetryAdvice,
        quote: { text: member(failure, "sentence") as string, from: "peer" },
      },
    );
  },
});
