import type * as transport from "../../reasons/library/transport.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `transport`. */
export const transportDocs = {
  failed: {
    title: "Connection failed",
    causes: [
      "The connection was reset by the other side or by something between.",
      "A proxy or a firewall ended the connection.",
      "The server closed the connection while it was busy with the call.",
    ],
    remedies: [
      "The operator checks the server and the network on the way to it.",
      "Whether the call arrived is not known: look at the state unless repeating does no harm.",
      "The client connects anew before it makes the next call.",
    ],
    severity: "error",
    codes: [{ system: "erlmcp", code: "-32008" }],
  },
  unreachable: {
    title: "Server not reachable",
    causes: [
      "The server is not running or does not listen at this address.",
      "The host name does not resolve, or the address is wrong.",
      "A firewall or a missing VPN blocks the way.",
    ],
    remedies: [
      "The operator starts the server or corrects its address.",
      "Make the same call again after a wait: it was not sent.",
      "Tell the user if it lasts longer than a few attempts.",
    ],
    severity: "error",
  },
  connection_lost: {
    title: "Connection lost before the answer",
    causes: [
      "The server was restarted or crashed while it worked on the call.",
      "The network was interrupted.",
      "A proxy closed a connection that was quiet for too long.",
    ],
    remedies: [
      "The operator looks for a restart or a crash at that time.",
      "The call may have been carried out: look at the state unless repeating does no harm.",
      "Send progress or pings, so that quiet connections stay open.",
    ],
    severity: "error",
  },
  exited: {
    title: "Server process ended",
    causes: [
      "The server crashed; its exit code and its stderr tell more.",
      "The process was killed, for example because it used too much memory.",
      "The command that starts the server is wrong.",
    ],
    remedies: [
      "The operator reads the stderr of the server and corrects what made it end.",
      "The call may have been carried out: look at the state unless repeating does no harm.",
      "Run the command by hand to see whether it starts at all.",
    ],
    severity: "error",
  },
  not_connected: {
    title: "Not connected",
    causes: ["The client was closed, or never connected.", "The connection ended earlier and was not made anew."],
    remedies: [
      "The operator of the client sees to it that it connects before it calls.",
      "Connect, then make the same call: it was not sent.",
    ],
    severity: "warning",
  },
  not_sent: {
    title: "Deadline passed before the call",
    causes: [
      "The deadline of the call was already over when the call began.",
      "Waiting for an earlier page, a wait or a reconnection took all of the time.",
    ],
    remedies: ["Make the same call again: it was not sent.", "Give the call a longer deadline."],
    severity: "warning",
  },
  breaker_open: {
    title: "Calls held back after failures",
    causes: [
      "Several calls to this server failed within a short time.",
      "The server is down or overloaded, and more calls would not help it.",
    ],
    remedies: [
      "The operator repairs the server; the faults before this one tell why it failed.",
      "Make the same call again after the wait: it was not sent.",
      "Use another server or tool meanwhile, if there is one.",
    ],
    severity: "error",
  },
  http_failed: {
    title: "HTTP failure",
    causes: [
      "A proxy or a load balancer answered in the place of the server.",
      "The server failed before it could answer in its protocol.",
      "The address is not that of an MCP server.",
    ],
    remedies: [
      "The operator looks up the status in the logs of the server and of its proxy.",
      "Repeat only where repeating does no harm; otherwise look at the state first.",
      "Check the path of the address.",
    ],
    severity: "error",
  },
} as const satisfies Record<keyof typeof transport, ReasonDoc>;
