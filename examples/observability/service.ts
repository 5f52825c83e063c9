// How the processes of this example start and end: a service prints its address, and ends when its input ends.
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Serves until the input of the process ends. */
export async function serveUntilInputEnds(handle: RequestListener, stop: () => Promise<void>): Promise<void> {
  const server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  process.stdin.resume();
  await once(process.stdin, "end");
  server.closeAllConnections();
  server.close();
  await stop();
}
