// Counts how many leaks of the corpus get through each way into a fault and each output.
import { core, defineReason, type Fault, fail, render, slot, toFault, unknownKeyIssue } from "@recourse/faults";
import { closient, type Dialect, erlmcp, http, mcp, onx, platica, qaqnuz } from "@recourse/faults/dialects";
import { findLeaks, type Leak } from "@recourse/faults/testing";

/** One way in which a foreign text gets into a fault. */
export interface FaultInput {
  readonly name: string;
  /** Whether the author of the server chose to show the text. */
  readonly chosen: boolean;
  readonly fault: (text: string) => Fault;
}

const note = defineReason("test/note", { kind: "conflict", text: "It says {note}.", slots: { note: slot.text(200) } });

function hostileObject(text: string): unknown {
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

/** Every way in which a foreign text gets into a fault. */
export const FAULT_INPUTS: readonly FaultInput[] = [
  { name: "throw", chosen: false, fault: (text) => toFault(new Error(text)) },
  { name: "non-Error throw", chosen: false, fault: (text) => toFault(text) },
  { name: "thrown object", chosen: false, fault: (text) => toFault({ message: text, code: text }) },
  { name: "driver error fields", chosen: false, fault: (text) => toFault(driverError(text)) },
  { name: "cause", chosen: false, fault: (text) => toFault(new Error("x", { cause: new Error(text) })) },
  { name: "cause of a reason", chosen: false, fault: (text) => core.internal({}, { cause: new Error(text) }).fault },
  { name: "AggregateError", chosen: false, fault: (text) => toFault(new AggregateError([new Error(text)], text)) },
  { name: "hostile object", chosen: false, fault: (text) => toFault(hostileObject(text)) },
  {
    name: "argument key",
    chosen: false,
    fault: (text) =>
      core.validation_failed({}, { issues: [unknownKeyIssue(["order"], text, ["gtin", "quantity"])] }).fault,
  },
  { name: "throw, quoted", chosen: true, fault: (text) => toFault(new Error(text), { foreignText: "quote" }) },
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

/** Everything that a fault is written to. */
const OUTPUTS: Readonly<Record<string, (fault: Fault) => string>> = {
  ...Object.fromEntries(
    (["model", "person", "log"] as const).map((reader) => [reader, (fault) => render(fault, { for: reader })]),
  ),
  json: (fault) => JSON.stringify(fault),
  ...Object.fromEntries(
    [mcp, http, closient, onx, erlmcp, qaqnuz, platica].map((dialect: Dialect<unknown>) => [
      dialect.name,
      (fault) => JSON.stringify(dialect.encode(fault)),
    ]),
  ),
};

/** The leaks that got through, for one input. */
export interface LeakCount {
  readonly input: FaultInput;
  /** The leaks by output. */
  readonly leaked: Readonly<Record<string, readonly Leak[]>>;
}

/** Counts leaks for every input and output. */
export function countLeaks(leaks: readonly Leak[]): LeakCount[] {
  return FAULT_INPUTS.map((input) => {
    const faults = leaks.map((leak) => ({ leak, fault: input.fault(leak.text) }));
    const leaked = Object.fromEntries(
      Object.entries(OUTPUTS).map(([output, write]) => [
        output,
        faults.filter(({ leak, fault }) => findLeaks(write(fault), leak.canaries).length > 0).map(({ leak }) => leak),
      ]),
    );
    return { input, leaked };
  });
}

/** The counts as a table, with the share of leaks that was stopped. */
export function tableOf(counted: readonly LeakCount[], total: number): string {
  const outputs = Object.keys(OUTPUTS);
  const lines = [["input", "text is", ...outputs, "stopped"]];
  for (const { input, leaked } of counted) {
    const counts = outputs.map((output) => leaked[output]?.length ?? 0);
    const stopped = `${((100 * (total - Math.max(...counts))) / total).toFixed(1)} %`;
    lines.push([input.name, input.chosen ? "chosen" : "accidental", ...counts.map(String), stopped]);
  }
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n");
}
