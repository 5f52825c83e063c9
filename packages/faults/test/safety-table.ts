// Every leak of the corpus through every way into a fault and out of every renderer, counted.
import { core, defineReason, type Fault, fail, render, slot, toFault, unknownKey } from "@recourse/faults";
import { closient, type Dialect, erlmcp, http, mcp, onx, platica, qaqnuz } from "@recourse/faults/dialects";
import { findLeaks, type Leak } from "@recourse/faults/testing";

/** One way in: how a foreign text may get near a fault, and whether somebody chose to show it. */
export interface Way {
  readonly name: string;
  readonly chosen: boolean;
  readonly fault: (text: string) => Fault;
}

const note = defineReason("test/note", { kind: "conflict", text: "It says {note}.", slots: { note: slot.text(200) } });

function hostile(text: string): unknown {
  return {
    get message() {
      return text;
    },
    get name() {
      return text;
    },
    get code() {
      return text;
    },
    toString: () => text,
    toJSON: () => text,
    [Symbol.toPrimitive]: () => text,
  };
}

function driverError(text: string): Error {
  const fields = {
    detail: text,
    hint: text,
    where: text,
    sql: text,
    address: text,
    response: { data: text },
    data: text,
  };
  return Object.assign(new Error(text), { name: text, code: text, severity: text, ...fields });
}

export const WAYS: readonly Way[] = [
  { name: "throw", chosen: false, fault: (text) => toFault(new Error(text)) },
  { name: "non-Error throw", chosen: false, fault: (text) => toFault(text) },
  { name: "thrown object", chosen: false, fault: (text) => toFault({ message: text, code: text }) },
  { name: "driver error fields", chosen: false, fault: (text) => toFault(driverError(text)) },
  { name: "cause", chosen: false, fault: (text) => toFault(new Error("x", { cause: new Error(text) })) },
  { name: "cause of a reason", chosen: false, fault: (text) => core.internal({}, { cause: new Error(text) }).fault },
  { name: "AggregateError", chosen: false, fault: (text) => toFault(new AggregateError([new Error(text)], text)) },
  { name: "hostile object", chosen: false, fault: (text) => toFault(hostile(text)) },
  {
    name: "argument key",
    chosen: false,
    fault: (text) => core.validation_failed({}, { issues: [unknownKey(["order"], text, ["gtin", "quantity"])] }).fault,
  },
  { name: "throw, quoted", chosen: true, fault: (text) => toFault(new Error(text), { thrown: "quote" }) },
  { name: "slot value", chosen: true, fault: (text) => note({ note: text }).fault },
  { name: "fail`` value", chosen: true, fault: (text) => fail.conflict`It says ${text}.`.fault },
  {
    name: "quote",
    chosen: true,
    fault: (text) => core.upstream_failed({}, { quote: { text, from: "upstream" } }).fault,
  },
  {
    name: "issue",
    chosen: true,
    fault: (text) =>
      core.validation_failed({}, { issues: [{ pointer: `/${text}`, rule: "custom", expected: text }] }).fault,
  },
  {
    name: "suggestion",
    chosen: true,
    fault: (text) =>
      core.not_found(
        {},
        {
          issues: [{ pointer: "", rule: "choice", suggestion: text }],
          recourse: [{ do: "choose_another", candidates: [text] }],
        },
      ).fault,
  },
];

const OUTS: Readonly<Record<string, (fault: Fault) => string>> = {
  ...Object.fromEntries(
    (["model", "person", "log"] as const).map((who) => [who, (fault) => render(fault, { for: who })]),
  ),
  json: (fault) => JSON.stringify(fault),
  ...Object.fromEntries(
    [mcp, http, closient, onx, erlmcp, qaqnuz, platica].map((dialect: Dialect<unknown>) => [
      dialect.name,
      (fault) => JSON.stringify(dialect.encode(fault)),
    ]),
  ),
};

/** For one way: how many leaks crossed each renderer. */
export interface Row {
  readonly way: Way;
  readonly crossed: Readonly<Record<string, readonly Leak[]>>;
}

export function measure(leaks: readonly Leak[], ways: readonly Way[] = WAYS): Row[] {
  return ways.map((way) => {
    const faults = leaks.map((leak) => ({ leak, fault: way.fault(leak.text) }));
    const crossed = Object.fromEntries(
      Object.entries(OUTS).map(([out, write]) => [
        out,
        faults.filter(({ leak, fault }) => findLeaks(write(fault), leak.canaries).length > 0).map(({ leak }) => leak),
      ]),
    );
    return { way, crossed };
  });
}

/** The table as text: leaks that crossed, by way and renderer, and the share that was stopped. */
export function tableOf(rows: readonly Row[], total: number): string {
  const outs = Object.keys(OUTS);
  const lines = [["way in", "text is", ...outs, "stopped"]];
  for (const { way, crossed } of rows) {
    const counts = outs.map((out) => crossed[out]?.length ?? 0);
    const stopped = `${((100 * (total - Math.max(...counts))) / total).toFixed(1)} %`;
    lines.push([way.name, way.chosen ? "chosen" : "accidental", ...counts.map(String), stopped]);
  }
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n");
}
