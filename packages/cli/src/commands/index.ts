import { CONFORMANCE_LEVELS } from "../conformance/levels.ts";
import type { TargetDialect } from "../decode/run.ts";
import type { CliCommand } from "../program/command.ts";
import { completionScript, SHELLS } from "../program/completion.ts";
import { usageFailure } from "../program/output.ts";
import { doctorCommand } from "./doctor.ts";
import { initCommand, keysCommand, serveCommand } from "./gateway.ts";
import { approvalsCommand, healthCommand, incidentCommand, statusCommand } from "./operate.ts";
import { probeCommand } from "./probe.ts";

/** `recourse completion`. It completes every command, itself among them. */
const completionCommand: CliCommand = {
  name: "completion",
  about: "Write a completion script for your shell",
  usage: `<${SHELLS.join(" | ")}>`,
  options: {},
  words: SHELLS,
  examples: [
    {
      line: "source <(recourse completion bash)",
      about: "For this session of bash. Put it into ~/.bashrc to keep it.",
    },
    {
      line: "source <(recourse completion zsh)",
      about: "For this session of zsh. Put it into ~/.zshrc, after compinit.",
    },
    { line: "recourse completion fish | source", about: "For this session of fish." },
  ],
  async run({ positionals }, io) {
    const shell = SHELLS.find((one) => one === positionals[0]);
    if (shell === undefined || positionals.length > 1) {
      const message = `Name one shell: ${SHELLS.join(", ")}.`;
      return { failure: usageFailure(message, "recourse completion bash") };
    }
    io.stdout.write(completionScript(shell, COMMANDS));
    return { exit: "ok" };
  },
};

/** `recourse decode`. */
const decodeCommand: CliCommand = {
  name: "decode",
  about: "Find the failures in a log, and group them",
  usage: "[file]",
  details: [
    "Reads a file or standard input: the log of a guarded server, of a gateway, or of a host such as Claude Desktop; JSON lines, a JSON array, an event stream, a recording of `recourse probe --save`, or log lines with JSON somewhere in them. It recognizes failures of every dialect, successful answers whose text is a failure, and errors in plain text, with their stacks.",
    "It groups failures by cause: the reason, or why a server cannot be used. Each group has the times, tools, upstreams and incidents that the log names, and the command that shows more. A failure that a server and its gateway have both logged is counted once.",
    "Every line is counted: as read, or as skipped with the reason. A text that exposes something to a caller, such as a credential, is marked and not shown.",
    "It reads logs of any length. It keeps at most 1,000 groups, with one sample each, and reads up to 16 MB of a line.",
  ],
  options: {
    fingerprint: { type: "string", value: "digits", about: "Show one group in full; the first digits are enough" },
    to: {
      type: "string",
      choices: ["mcp", "http", "closient", "onx", "erlmcp", "qaqnuz", "platica"] satisfies readonly TargetDialect[],
      about: "Write each failure as a line of JSON in this dialect, instead of the groups",
    },
  },
  examples: [
    { line: "recourse decode session.log", about: "What failed, how often, and why." },
    { line: "kubectl logs mcp-server | recourse decode", about: "From another program." },
    { line: "recourse decode session.log --fingerprint 3f2a", about: "One group in full." },
    { line: "recourse decode session.log --to mcp", about: "The failures as MCP writes them." },
  ],
  run: async (given, io) => (await import("../decode/run.ts")).runDecode(given, io),
};

/** `recourse conformance`. */
const conformanceCommand: CliCommand = {
  name: "conformance",
  about: "Check an implementation of faults in any language against the vectors",
  usage: "run [--level <level>] [--only <id>] -- <command…>",
  details: [
    "For authors of implementations. The program reads one JSON object per line on stdin and answers on stdout, under the same id. The requests are hello, decode, encode, render and decide; docs/spec/faults.md describes them. The vectors are in this program.",
    "A program claims levels in its answer to hello: reader (decode faults of MCP), writer (encode them), advisor (render for a model, decide about a repetition) and dialects (the other wires). Vectors of other levels are not sent.",
    "Exit code 1 means that an answer differs from its vector. Each difference is shown as a JSON Pointer with the expected and the received value. A quotation that is missing in a decoded fault is not counted: each implementation has its own text filter.",
  ],
  options: {
    level: { type: "string", choices: Object.keys(CONFORMANCE_LEVELS), about: "Send the vectors of one level only" },
    only: { type: "string", value: "id", about: "Send only the vectors whose id begins with this" },
    timeout: { type: "string", value: "seconds", about: "How long one answer may take; 10 by default" },
  },
  words: ["run"],
  examples: [
    {
      line: "recourse conformance run -- python3 -m recourse_faults.door",
      about: "All vectors of the levels that the program claims.",
    },
    {
      line: "recourse conformance run --level reader --only mcp/shapes -- ./door",
      about: "A few of them, while you work on the reader.",
    },
  ],
  run: async (given, io) => (await import("../conformance/run.ts")).runConformance(given, io),
};

/** Three failures, with the bare SDK and with Recourse. */
const demoCommand: CliCommand = {
  name: "demo",
  about: "See three failures without and with Recourse, in 30 seconds",
  usage: "[--fast]",
  details: [
    "Starts real servers on this machine, makes them fail and shows their answers. It needs no network, writes nothing and ends on its own.",
  ],
  options: {
    fast: { type: "boolean", about: "Print everything at once, as when the output is not a terminal" },
  },
  examples: [
    { line: "recourse demo", about: "Three failures, at reading speed." },
    { line: "recourse demo --fast", about: "Everything at once." },
  ],
  // The official SDK is loaded by this command only.
  run: async (given, io) => (await import("../demo/run.ts")).runDemo(given, io),
};

/** `recourse explain`. */
const explainCommand: CliCommand = {
  name: "explain",
  about: "Explain what an error code, a reason, a check or a whole message means",
  usage: "<code | reason | kind | check | cause | message>",
  details: [
    "Knows the codes of JSON-RPC and MCP, of the official SDKs, of public servers and gateways, HTTP statuses and system codes; the reasons and kinds of Recourse; the checks of `recourse probe`; the causes of `recourse doctor`.",
    "A number such as -32001 has a different meaning for each sender, so explain lists all of them. Paste the whole message to get one answer: what happened, why, whether the call took effect, and what to do. It can be a sentence, a log line, a stack, JSON, an HTTP reply or an event stream; in several lines, explain looks for the innermost cause. It reads the arguments, or standard input if there are none.",
    "If it does not know something, it exits with 2 and shows the closest names, or how to find out more.",
  ],
  options: {},
  examples: [
    { line: "recourse explain -32001", about: "Every sender of this code, and what it means there." },
    { line: "recourse explain core/timeout", about: "A reason: causes, what to do, what the model reads." },
    { line: `recourse explain '{"error":{"code":-32602,"message":"Tool seach not found"}}'`, about: "A message." },
    { line: 'recourse explain "Error: spawn uvx ENOENT"', about: "An error as a host shows it." },
    { line: "recourse explain leak-stack", about: "A check of recourse probe." },
    { line: "recourse explain ECONNREFUSED --json", about: "The same as data." },
  ],
  run: async (given, io) => (await import("../explain/run.ts")).runExplain(given, io),
};

/** A misbehaving MCP server, for authors of clients in any language. */
export const peerCommand: CliCommand = {
  name: "peer",
  about: "Run a server that misbehaves on demand, to test a client",
  usage: "[--stdio] [--list]",
  details: [
    "For clients in any language. It follows the protocol until you ask for a misbehaviour. Its tool charge counts how often it really ran, so you see what your client does after a lost answer.",
    "The first line on stdout is its address. Every request is reported on stderr. Ctrl-C ends it.",
  ],
  options: {
    list: { type: "boolean", about: "List every misbehaviour, and how to ask for it" },
    stdio: { type: "boolean", about: "Speak on stdin and stdout instead of HTTP" },
    port: { type: "string", value: "number", about: "Listen on this port of 127.0.0.1 instead of a free one" },
    next: {
      type: "string",
      multiple: true,
      value: "name",
      about: "Misbehave in this way on the next tool call; repeat the option for the calls after that, ok means behave",
    },
    tool: {
      type: "string",
      multiple: true,
      value: "tool=name",
      about: "Misbehave in this way on every call of one tool",
    },
    dialect: { type: "string", choices: ["mcp", "erlmcp"], about: "Write errors in this dialect" },
    idempotency: { type: "boolean", about: "Honour idempotency keys, and announce that" },
    "delay-ms": {
      type: "string",
      value: "ms",
      about: "Delay of the misbehaviours that are about time; 200 by default",
    },
  },
  examples: [
    { line: "recourse peer --list", about: "Everything that this server can do wrong." },
    {
      line: "recourse peer --next lost-socket",
      about: "The answer to the first tool call is lost, its effect is not.",
    },
    { line: "recourse peer --stdio --tool charge=garbage-lines", about: "As a program that your client starts." },
  ],
  // The peer is large, and the help of the program must not wait for it.
  run: async (given, io) => (await import("../peer/run.ts")).runPeer(given, io),
};

/**
 * Every command, in the order of the help. A command is a table; what it does is loaded when it runs:
 * `run: async (given, io) => (await import("../explain/run.ts")).runExplain(given, io)`.
 */
export const COMMANDS: readonly CliCommand[] = [
  explainCommand,
  probeCommand,
  doctorCommand,
  decodeCommand,
  incidentCommand,
  peerCommand,
  conformanceCommand,
  demoCommand,
  initCommand,
  serveCommand,
  statusCommand,
  healthCommand,
  approvalsCommand,
  keysCommand,
  completionCommand,
];
