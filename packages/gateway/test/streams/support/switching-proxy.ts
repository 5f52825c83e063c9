// A TCP proxy whose connections can be cut, and whose target can be changed, as a load balancer does.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { joinSockets } from "@recourse/test-kit/network";
import { onTestFinished } from "vitest";

/** A proxy to one gateway at a time. */
export interface SwitchingProxy {
  readonly url: URL;
  /** Cuts all connections. New ones are accepted. */
  cut(): void;
  /** New connections go to another gateway. */
  switchTo(target: URL): void;
  /** The `Last-Event-ID` of each request that had one. */
  lastEventIds(): readonly string[];
}

/** Starts a proxy for one test. */
export async function switchingProxy(first: URL): Promise<SwitchingProxy> {
  let target = first;
  let sent = "";
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    client.on("data", (bytes) => {
      sent += bytes.toString("latin1");
    });
    joinSockets(client, connect(Number(target.port), target.hostname), sockets);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(async () => {
    cut();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = new URL(first);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url,
    cut,
    switchTo(next) {
      target = next;
    },
    lastEventIds: () => [...sent.matchAll(/^last-event-id: (.*)\r$/gim)].map(([, id = ""]) => id),
  };
}
