// What a process of the bench says to the one that started it: the port it listens at, and the CPU it has used.
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Sends the port, once it listens. */
export function reportPort(server: Server): void {
  process.send?.({ port: (server.address() as AddressInfo).port });
}

// The bench itself imports this file too, and has no channel.
process.on("message", (message) => {
  if (message !== "cpu") return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuUs: user + system });
});
process.on("disconnect", () => process.exit(0));
