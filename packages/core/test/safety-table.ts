// Counts how many leaks of the corpus get through each way into a fault and each output.
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { defineReason, type Fault, fail, readFault, render, slot, unknownKeyIssue } from "@recourse/core";
import { DIALECTS, type Dialect } from "@recourse/core/dialects";
import { core, toFault } from "@recourse/core/reasons";
import { findLeaks, type Leak } from "@recourse/testing";
import createError from "http-errors";
import { checkReturned } from "../src/server/calls/returned-failure.ts";
import { releaseFault } from "../src/server/release.ts";

/**
 * Where the text comes from: `accidental` text was never meant for a caller, `shown` text is that of others which the server
 * shows after the full filter, an `authored` value was chosen by the author of the server.
 */
type TextOrigin = "accidental" | "shown" | "authored";

/** One way in which a text gets into a fault. */
export interface FaultInput {
  readonly name: string;
  readonly origin: TextOrigin;
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

/** A fault of a client that says what a server or a service behind it said. */
function quotedBy(from: "peer" | "upstream", text: string): Fault {
  return readFault({ ...core.unavailable.fault(), quote: { text, from } }) ?? core.unavailable.fault();
}

/** The fault as a guarded server sends it on, with the options that it has by default. */
function sentOn(fault: Fault): Fault {
  return releaseFault(fault, {}).fault;
}

/** The fault of a failure that a handler returned. */
function returned(text: string): Fault {
  const result = { isError: true, content: [{ type: "text", text }] };
  return checkReturned(result, { isReadOnly: false, sent: undefined }).failure?.fault ?? core.internal.fault();
}

/** Every way in which a foreign text gets into a fault. */
export const FAULT_INPUTS: readonly FaultInput[] = [
  { name: "throw", origin: "accidental", fault: (text) => toFault(new Error(text)) },
  { name: "non-Error throw", origin: "accidental", fault: (text) => toFault(text) },
  { name: "thrown object", origin: "accidental", fault: (text) => toFault({ message: text, code: text }) },
  { name: "driver error fields", origin: "accidental", fault: (text) => toFault(driverError(text)) },
  { name: "cause", origin: "accidental", fault: (text) => toFault(new Error("x", { cause: new Error(text) })) },
  {
    name: "cause of a reason",
    origin: "accidental",
    fault: (text) => core.internal({}, { cause: new Error(text) }).fault,
  },
  {
    name: "AggregateError",
    origin: "accidental",
    fault: (text) => toFault(new AggregateError([new Error(text)], text)),
  },
  { name: "hostile object", origin: "accidental", fault: (text) => toFault(hostileObject(text)) },
  {
    name: "argument key",
    origin: "accidental",
    fault: (text) =>
      core.validation_failed({}, { issues: [unknownKeyIssue(["order"], text, ["gtin", "quantity"])] }).fault,
  },
  { name: "throw, quoted", origin: "shown", fault: (text) => toFault(new Error(text), { foreignText: "quote" }) },
  { name: "throw for the caller", origin: "shown", fault: (text) => toFault(createError(404, text)) },
  {
    name: "protocol error",
    origin: "shown",
    fault: (text) => toFault(new McpError(ErrorCode.InvalidParams, text)),
  },
  { name: "protocol error, internal", origin: "accidental", fault: (text) => toFault(new McpError(-32603, text)) },
  {
    name: "throw for the caller, cause",
    origin: "accidental",
    fault: (text) => toFault(createError(404, text, { cause: new Error(text) })),
  },
  { name: "words of a peer, sent on", origin: "shown", fault: (text) => sentOn(quotedBy("peer", text)) },
  { name: "words of a service, sent on", origin: "accidental", fault: (text) => sentOn(quotedBy("upstream", text)) },
  { name: "returned with isError", origin: "authored", fault: returned },
  {
    name: "value of another program",
    origin: "shown",
    fault: (text) => note({ note: text }, { textPolicy: "foreign" }).fault,
  },
  { name: "slot value", origin: "authored", fault: (text) => note({ note: text }).fault },
  { name: "fail`` value", origin: "authored", fault: (text) => fail.conflict`It says ${text}.`.fault },
  {
    name: "quote",
    origin: "shown",
    fault: (text) => core.upstream_failed({}, { quote: { text, from: "upstream" } }).fault,
  },
  {
    name: "issue",
    origin: "authored",
    fault: (text) =>
      core.validation_failed({}, { issues: [{ pointer: `/${text}`, rule: "custom", expected: text }] }).fault,
  },
  {
    name: "suggestion",
    origin: "authored",
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
    Object.values(DIALECTS).map((dialect: Dialect<unknown>) => [
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

/** Counts leaks for every input and output. With `oneIn`, each output gets one of so many, and every leak is in some of them. */
export function countLeaks(leaks: readonly Leak[], oneIn = 1): LeakCount[] {
  return FAULT_INPUTS.map((input, row) => {
    const faults = leaks.map((leak) => ({ leak, fault: input.fault(leak.text) }));
    const leaked = Object.fromEntries(
      Object.entries(OUTPUTS).map(([output, write], column) => [
        output,
        faults
          .filter((_, index) => (index + row + column) % oneIn === 0)
          .filter(({ leak, fault }) => findLeaks(write(fault), leak.canaries).length > 0)
          .map(({ leak }) => leak),
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
    lines.push([input.name, input.origin, ...counts.map(String), stopped]);
  }
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n");
}
