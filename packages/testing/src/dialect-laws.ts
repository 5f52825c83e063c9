import { BASES, EFFECTS, type Fault, type FaultDetails, registerSecrets } from "@recourse/core";
import type { Dialect, EncodeContext, TableReason } from "@recourse/core/dialects";
import { type Arbitrary, type FastCheck, toCombinators } from "./generators/fast-check.ts";
import { ALL_REASONS, anyCall, anyFault, type ReasonCall } from "./generators/faults.ts";
import { anyJson, mutate } from "./generators/json.ts";
import { anySecretText } from "./generators/text.ts";
import { findLeaks } from "./no-leak.ts";

/** Your fast-check module with the functions that run properties. */
export type FastCheckRunner = FastCheck & {
  readonly assert: (...args: never[]) => unknown;
  readonly property: (...args: never[]) => unknown;
};

/** Options of `dialectLaws`. */
export interface DialectLawOptions<Encode extends EncodeContext = EncodeContext> {
  /** Your fast-check module, version 4: `import fc from "fast-check"`. */
  readonly fc: FastCheckRunner;
  /** Reasons of your own that the dialect has codes for. @default only the reasons of the library, and ad hoc faults */
  readonly reasons?: readonly TableReason[];
  /** The contexts that faults are encoded in. @default none */
  readonly contexts?: readonly (Encode | undefined)[] | Arbitrary<Encode | undefined>;
}

/** How a law is checked. */
export interface LawRun {
  /** How many random cases to try. @default 100 */
  readonly numRuns?: number;
}

/** A law that every dialect has to keep. */
export interface DialectLaw {
  /** What the law says, for the name of a test. */
  readonly name: string;
  /** Tries random cases. Throws an error with the smallest case that breaks the law. */
  run(options?: LawRun): void;
}

/**
 * The laws that a dialect has to keep, as checks for any test framework. The shipped dialects are held to the same ones.
 *
 * @example
 * import fc from "fast-check";
 * import { test } from "node:test";
 * import { dialectLaws } from "@recourse/testing";
 * import { acme, shop } from "./dialect.ts";
 *
 * for (const law of dialectLaws(acme, { fc, reasons: Object.values(shop) })) {
 *   test(law.name, () => law.run({ numRuns: 1_000 }));
 * }
 */
export function dialectLaws<Wire, Encode extends EncodeContext>(
  dialect: Dialect<Wire, Encode>,
  options: DialectLawOptions<NoInfer<Encode>>,
): readonly DialectLaw[] {
  const any = createArbitraries(options);
  const { assert, property } = options.fc as unknown as Runner;
  const law = <Ts extends readonly unknown[]>(
    name: string,
    arbitraries: { readonly [K in keyof Ts]: Arbitrary<Ts[K]> },
    check: (...values: Ts) => void,
  ): DialectLaw => ({
    name: `${dialect.name}: ${name}`,
    run: (run = {}) => assert(property(...arbitraries, check as (...values: readonly unknown[]) => void), run),
  });
  const roundTrip = (fault: Fault, context: Encode | undefined): Fault | undefined =>
    dialect.decode(JSON.parse(JSON.stringify(dialect.encode(fault, context))), context);

  return [
    law("a round trip never makes effect or basis more certain", [any.fault, any.context], (fault, context) => {
      const back = roundTrip(fault, context);
      expect(back !== undefined, "the fault is read as a success");
      if (back === undefined) return;
      expect(EFFECTS.indexOf(back.effect) >= EFFECTS.indexOf(fault.effect), `${fault.effect} became ${back.effect}`);
      expect(BASES.indexOf(back.basis) >= BASES.indexOf(fault.basis), `${fault.basis} became ${back.basis}`);
    }),
    law("no registered secret is on the wire", [any.call, any.secret, any.context], (call, secret, context) => {
      const forget = registerSecrets(secret);
      try {
        const leaks = findLeaks(dialect.encode(faultWith(call, secret), context), [secret]);
        expect(leaks.length === 0, `${secret} is on the wire`);
      } finally {
        forget();
      }
    }),
    law("decoding any JSON never throws, and gives a frozen fault or undefined", [any.json], (json) => {
      const fault = dialect.decode(json);
      expect(fault === undefined || (fault.v === 1 && Object.isFrozen(fault)), "it is neither");
    }),
    law(
      "decoding never throws on a reply with one member changed, or on half a reply",
      [any.fault, any.context, any.json, any.number],
      (fault, context, json, at) => {
        const wire: unknown = dialect.encode(fault, context);
        dialect.decode(mutate(wire, at % 30, () => json));
        const text = JSON.stringify(wire);
        dialect.decode(text.slice(0, at % text.length));
      },
    ),
    law("encode and decode are pure", [any.fault, any.context], (fault, context) => {
      const before = JSON.stringify(fault);
      const wire = dialect.encode(fault, context);
      expectSame(dialect.encode(fault, context), wire);
      expectSame(dialect.decode(wire, context), dialect.decode(wire, context));
      expect(JSON.stringify(fault) === before, "the fault was changed");
    }),
    law("every code that is written is published", [any.fault, any.context], (fault, context) => {
      const code = dialect.codes?.codeOf(fault, context);
      const published = dialect.codes?.published() ?? {};
      expect(code === undefined || Object.hasOwn(published, code), `${code} is not published`);
    }),
  ];
}

interface Runner {
  assert(property: unknown, options: LawRun): void;
  property(...parts: readonly unknown[]): unknown;
}

function createArbitraries<Encode extends EncodeContext>(options: DialectLawOptions<Encode>) {
  const fc = toCombinators(options.fc);
  const { reasons = [], contexts = [undefined] } = options;
  const own = reasons.length === 0 ? [] : [{ weight: 1, arbitrary: anyFault(fc, { reasons }) }];
  return {
    fault: fc.oneof<Fault>({ weight: 1, arbitrary: anyFault(fc) }, ...own),
    context: Array.isArray(contexts)
      ? fc.constantFrom<Encode | undefined>(...contexts)
      : (contexts as Arbitrary<Encode | undefined>),
    call: anyCall(fc, { reasons: [...ALL_REASONS, ...reasons] }),
    secret: anySecretText(fc),
    json: anyJson(fc),
    number: fc.nat(),
  };
}

/** A fault with a secret in every text that came from elsewhere. */
function faultWith({ reason, params, details }: ReasonCall, secret: string): Fault {
  const planted: FaultDetails = {
    quote: { text: `it said ${secret} there`, from: "peer" },
    issues: [{ pointer: `/${secret}`, rule: "custom", expected: secret, suggestion: secret }],
  };
  const values = Object.fromEntries(Object.keys(reason.slots).map((name) => [name, params[name] ?? secret]));
  return reason.fault(values, { ...details, ...planted });
}

function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

function expectSame(one: unknown, other: unknown): void {
  expect(isSame(one, other), `${JSON.stringify(one)}\nis not\n${JSON.stringify(other)}`);
}

/** Whether two JSON values are equal. The order of members does not count, nor does a member that is undefined. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) =>
    isSame((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
  );
}
