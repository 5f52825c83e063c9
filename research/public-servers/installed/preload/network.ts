// Loaded before an installed server starts (`node --import`): every connection to another machine goes to the stand-in of its
// service on this machine, without encryption. Without a stand-in no connection leaves.
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import tls from "node:tls";

const standIn = Number(process.env["STAND_IN_PORT"] ?? 0);
const connectReally = net.connect;
const LOCAL = new Set(["127.0.0.1", "::1", "localhost", undefined]);

interface Target {
  readonly host?: string;
  readonly port?: number | string;
  readonly path?: string;
}

function toStandIn(): net.Socket {
  if (standIn === 0) throw new Error("no connection leaves this machine");
  return connectReally({ host: "127.0.0.1", port: standIn });
}

const targetOf = (args: readonly unknown[]): Target =>
  typeof args[0] === "object" && args[0] !== null
    ? (args[0] as Target)
    : { port: args[0] as number, ...(typeof args[1] === "string" ? { host: args[1] } : {}) };

tls.connect = ((...args: readonly unknown[]) => {
  const socket = toStandIn();
  Object.assign(socket, { encrypted: true, authorized: true, alpnProtocol: false, getSession: () => undefined });
  socket.once("connect", () => socket.emit("secureConnect"));
  const listener = args.find((one) => typeof one === "function") as (() => void) | undefined;
  if (listener !== undefined) socket.once("secureConnect", listener);
  return socket;
}) as unknown as typeof tls.connect;

function connect(...args: readonly unknown[]): net.Socket {
  const { host, path } = targetOf(args);
  if (path !== undefined || LOCAL.has(host))
    return (connectReally as (...all: readonly unknown[]) => net.Socket)(...args);
  return toStandIn();
}
net.connect = connect as typeof net.connect;
net.createConnection = connect as typeof net.createConnection;
syncBuiltinESMExports();
