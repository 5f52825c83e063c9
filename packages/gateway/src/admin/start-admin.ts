import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { inBackground, runGuarded } from "../call/observer.ts";
import { closeGently, createHttpServer } from "../edge/listener.ts";
import type { AdminParts } from "./parts.ts";

/** A running API for operators. */
interface Admin {
  readonly url: URL;
  close(): Promise<void>;
}

/** How long requests under way may take to end when the gateway stops. */
const ADMIN_DRAIN_MS = 5_000;

/** Starts the API for operators; undefined where the configuration has none. It rejects where the address is taken. */
export async function startAdmin(parts: AdminParts): Promise<Admin | undefined> {
  const { admin, drainMs } = parts.config();
  if (admin === undefined) return undefined;
  // A gateway without it does not load what it needs.
  const { AdminRequests } = await import("./requests.ts");
  const requests = new AdminRequests(parts);
  const server = createHttpServer();
  server.on("request", (incoming, outgoing) =>
    runGuarded("admin", parts.observer, () =>
      inBackground("admin", parts.observer, requests.answer(incoming, outgoing)),
    ),
  );
  const { host, port } = admin.listen;
  server.listen(port, host);
  await once(server, "listening");
  server.on("error", (error) => parts.observer.unexpected(error, "admin listener"));
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: new URL(`http://${name}:${(server.address() as AddressInfo).port}/admin/v1`),
    close: () => closeGently(server, requests, Math.min(drainMs, ADMIN_DRAIN_MS)),
  };
}
