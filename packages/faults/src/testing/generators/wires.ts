import { closient } from "../../dialects/closient/closient.ts";
import type { Dialect, EncodeContext } from "../../dialects/dialect.ts";
import { erlmcp } from "../../dialects/erlmcp/erlmcp.ts";
import { http } from "../../dialects/http/http.ts";
import { mcp } from "../../dialects/mcp/mcp.ts";
import { REVISIONS } from "../../dialects/mcp/revision.ts";
import { onx } from "../../dialects/onx/onx.ts";
import { platica } from "../../dialects/platica/platica.ts";
import { qaqnuz } from "../../dialects/qaqnuz/qaqnuz.ts";
import { isJson, memberAt, rpcErrorOf } from "../../dialects/wire.ts";
import type { Fault } from "../../fault/fault.ts";
import type { Arbitrary, Combinators } from "./fast-check.ts";

/** A failed result of a tool, in the form in which official clients return it. */
export interface ErrorResult {
  readonly isError: true;
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** The `error` of a JSON-RPC message. */
export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An HTTP reply; the names of its headers are in lower case. */
export interface HttpFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A failure as it crosses a wire, and the fault that somebody meant by it. */
export interface Failure<Wire> {
  readonly wire: Wire;
  readonly fault: Fault;
  /** The dialect that it is written in. */
  readonly dialect: string;
}

/** The three forms of a failure. */
interface Forms {
  readonly result: ErrorResult;
  readonly error: RpcFailure;
  readonly reply: HttpFailure;
}

/** What a dialect wrote, when it has the form. */
const FORMS: { readonly [F in keyof Forms]: (written: unknown) => Forms[F] | undefined } = {
  result: (written) => {
    const result = memberAt(written, "result");
    return isJson(result) && result["isError"] === true ? (result as unknown as ErrorResult) : undefined;
  },
  error: (written) => {
    const error = memberAt(written, "error");
    return rpcErrorOf(error) === undefined ? undefined : (error as RpcFailure);
  },
  reply: (written) => (isJson(memberAt(written, "body")) ? (written as HttpFailure) : undefined),
};

interface Writer {
  readonly dialect: string;
  write(fault: Fault): unknown;
}

function by<Context extends EncodeContext>(dialect: Dialect<unknown, Context>, ...contexts: Context[]): Writer[] {
  return contexts.map((context) => ({ dialect: dialect.name, write: (fault) => dialect.encode(fault, context) }));
}

/** Every dialect, in the replies that it can be written into. */
const WRITERS: readonly Writer[] = [
  ...by(
    mcp,
    ...REVISIONS.flatMap((revision) => [
      { revision, method: "tools/call" },
      { revision, method: "resources/read" },
    ]),
    { method: "tools/call", outputSchema: false },
  ),
  ...by(closient, { form: "result" }, { form: "reply", at: "2026-04-26T02:34:56Z" }),
  ...by(onx, { method: "tools/call" }, { method: "prompts/get" }),
  ...by(erlmcp, {}, { method: "tools/call", tool: "calculate" }),
  ...by(qaqnuz, { form: "wire" }),
  ...by(platica, {}),
  ...by(http, {}, { docsBase: "https://docs.example.com/errors" }),
];

/** The fault in one form, by the first writer from a place on that has it; for every form there is one that always does. */
function written<F extends keyof Forms>(fault: Fault, form: F, from: number): Failure<Forms[F]> {
  for (const { dialect, write } of [...WRITERS.slice(from), ...WRITERS]) {
    const wire = FORMS[form](write(fault));
    // As it arrives: JSON knows fewer values than the language.
    if (wire !== undefined) return { wire: JSON.parse(JSON.stringify(wire)) as Forms[F], fault, dialect };
  }
  throw new Error(`no dialect writes a ${form}`);
}

/** A generated fault in one form, in any dialect. */
export function anyFailure<F extends keyof Forms>(
  fc: Combinators,
  faults: Arbitrary<Fault>,
  form: F,
): Arbitrary<Failure<Forms[F]>> {
  const place = fc.integer({ min: 0, max: WRITERS.length - 1 });
  return fc.tuple<[Fault, number]>(faults, place).map(([fault, from]) => written(fault, form, from));
}
