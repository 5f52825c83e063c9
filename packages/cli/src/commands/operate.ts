import type { FoundAddress } from "../admin/health.ts";
import { ADMIN_OPTIONS, APPROVAL_ACTIONS, APPROVAL_STATES } from "../admin/settings.ts";
import type { CliCommand, Io } from "../program/command.ts";

const NEEDS_KEY =
  "Asks the admin API of the gateway with the key of an operator in GATEWAY_ADMIN_KEY. The key is never an argument, since arguments stay in the history of your shell. `recourse init` turns the API on and prints a key; `recourse keys add <id> --operator` creates another.";

/** `recourse status`: how a gateway is doing. */
export const statusCommand: CliCommand = {
  name: "status",
  about: "Show how a gateway is doing, and what to do about it",
  usage: "[--url <url>]",
  details: [
    "Shows the upstreams with their breakers and their last failures, the stores, the requests and the causes of failures in the last hour, and the calls that wait for an approval. For each problem it shows the command that leads to its cause.",
    NEEDS_KEY,
    "A part that does not answer is shown as down. Exit code 1 means that a part does not work; failed calls alone do not cause it.",
  ],
  options: ADMIN_OPTIONS,
  examples: [
    { line: "recourse status", about: "The gateway on this machine." },
    { line: "recourse status --url https://ops.example.com/gateway", about: "A gateway behind a proxy." },
    { line: "recourse status --json", about: "For scripts and alerts." },
  ],
  run: async (given, io) => (await import("../admin/status.ts")).runStatus(given, io),
};

/** `recourse health`: whether a gateway runs, for health checks of containers. */
export const healthCommand: CliCommand = {
  name: "health",
  about: "Ask a gateway whether it runs, for health checks",
  usage: "[url]",
  details: [
    "Asks `/health` of the gateway at http://127.0.0.1:8080, or at the address that you give; if the address has a path, it asks that path. It needs no key and not the package of the gateway. The exit code is 0 for an answer with status 200, and 1 for everything else: another status, no connection, no answer in time.",
    "With --config it reads the address from a configuration file: `telemetry.listen`, or else `listen`. That takes longer, since it loads the package of the gateway: if a check runs every few seconds, give the address.",
  ],
  options: {
    ready: { type: "boolean", about: "Ask /ready: whether the gateway takes calls, not only whether it runs" },
    config: { type: "string", short: "c", value: "file", about: "Take the address from this configuration file" },
    timeout: { type: "string", value: "seconds", about: "How long to wait for an answer; 2 seconds if not given" },
  },
  examples: [
    { line: "recourse health", about: "The gateway on this machine." },
    { line: "recourse health http://127.0.0.1:8082 --ready", about: "At the address of telemetry.listen." },
    { line: "recourse health --config gateway.yaml", about: "At the address that the file names." },
  ],
  run: async (given, io) => (await import("../admin/health.ts")).runHealth(given, { io, addressInFile }),
};

async function addressInFile(file: string, io: Io): Promise<FoundAddress> {
  const { loadGateway } = await import("./run-gateway.ts");
  const gateway = await loadGateway(io);
  return "failure" in gateway ? gateway : gateway.findPagesUrl(file, io);
}

/** `recourse approvals`: calls that wait for a person. */
export const approvalsCommand: CliCommand = {
  name: "approvals",
  about: "List the calls that wait for a person, and decide about them",
  usage: "[list | show <id> | approve <id> | deny <id>]",
  details: [
    "Shows who wants to make which call with which arguments, and how long the call still waits. The beginning of an id is enough if it is unique. A decision applies to exactly this call: the caller makes it again, and it runs once.",
    "Invisible characters, such as zero-width spaces, are written as escapes, and numbers keep all their digits: what you read is what runs.",
    NEEDS_KEY,
  ],
  options: {
    ...ADMIN_OPTIONS,
    state: {
      type: "string",
      choices: APPROVAL_STATES,
      about: "List approvals in this state; pending if not given",
    },
    note: {
      type: "string",
      value: "text",
      about: "The reason for your decision; it is kept in the audit, and the caller does not get it",
    },
  },
  words: Object.keys(APPROVAL_ACTIONS),
  examples: [
    { line: "recourse approvals", about: "What waits for a decision." },
    { line: "recourse approvals show 01M7HX", about: "One call with all of its arguments." },
    { line: "recourse approvals approve 01M7HX", about: "Let the call run, once." },
    {
      line: 'recourse approvals deny 01M7HX --note "Ask finance first."',
      about: "Refuse it, and say why in the audit.",
    },
  ],
  run: async (given, io) => (await import("../admin/approvals.ts")).runApprovals(given, io),
};

/** `recourse incident`. */
export const incidentCommand: CliCommand = {
  name: "incident",
  about: "Find one failure by its incident id: what the model read, what happened, what to do",
  usage: "<id | sentence> [file | folder | -]…",
  details: [
    "Callers get an id, and the log has the cause. Give the id, or paste the whole sentence that contains it. The command searches the logs that you name, standard input, and a gateway. In a folder it reads all files, the newest first, including those that end with .gz.",
    "A gateway and the server behind it each give a failure their own id. Either id finds both: name the log of the gateway and the log of the server, or --url and the log of the server.",
    "Without a log and without --url it asks the gateway if GATEWAY_ADMIN_KEY is set. Secrets are removed from what it shows. If an id is not found, it exits with 1 and lists what it searched.",
  ],
  options: {
    in: {
      type: "string",
      multiple: true,
      value: "file",
      about: "A log or a folder to search, for a sentence without quotes",
    },
    ...ADMIN_OPTIONS,
  },
  examples: [
    { line: "recourse incident 01M7HXRMR83H8Q9JKGBAVMDXX4 server.log", about: "In the log of a server." },
    {
      line: 'recourse incident "If you report this, give incident 01M7HXRMR83H8Q9JKGBAVMDXX4." /var/log/mcp',
      about: "From a pasted sentence, in all logs of a folder.",
    },
    { line: "kubectl logs mcp-server | recourse incident 01M7HXRMR83H8Q9JKGBAVMDXX4", about: "From another program." },
    {
      line: "recourse incident 01M7HXRMR83H8Q9JKGBAVMDXX4 orders.log --url http://127.0.0.1:8081",
      about: "Across a gateway and the server behind it.",
    },
  ],
  run: async (given, io) => (await import("../incident/run.ts")).runIncident(given, io),
};
