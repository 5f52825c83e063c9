import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { inBackground, runGuarded } from "../call/observer.ts";
import { consoleUrl } from "../config/console-url.ts";
import { closeGently, createHttpServer } from "../edge/listener.ts";
import type { AdminParts } from "./parts.ts";

/** A running API for operators. */
interface Admin {
  readonly url: URL;
  /** The address of the console; undefined if it is off. */
  readonly consoleUrl: URL | undefined;
  close(): Promise<void>;
}

/** How long requests under way may take to end when the gateway stops. */
const ADMIN_DRAIN_MS = 5_000;

/** Starts the API for operators; undefined if the configuration has none. It rejects if the address is taken. */
export async function startAdmin(parts: AdminParts): Promise<Admin | undefined> {
  const { admin, drainMs } = parts.config();
  if (admin === undefined) return undefined;
  // A gateway without it does not load what it needs.
  const { AdminRequests } = await import("./requests.ts");
  const { openConsole } = await import("../console/open-console.ts");
  const { config, redis, consoleFolder: folder, controls, observer, now } = parts;
  const monotonic = () => performance.now();
  const console = await openConsole({ config, redis, folder, audit: controls.audit, observer, now, monotonic });
  const requests = new AdminRequests(parts, console);
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
  const listening = (server.address() as AddressInfo).port;
  const page = admin.console && (consoleUrl(admin, listening) ?? `http://${name}:${listening}/console`);
  return {
    url: new URL(`http://${name}:${listening}/admin/v1`),
    consoleUrl: page === undefined ? undefined : new URL(`${page}/`),
    close: () => closeGently(server, requests, Math.min(drainMs, ADMIN_DRAIN_MS)),
  };
}
