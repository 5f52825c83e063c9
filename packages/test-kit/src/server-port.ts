// Ports of servers that tests kill and start again.
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that the system gives to connections, so that none of them takes a port while its server is away. */
const FIRST_PORT = 10_240;
/** Redis also listens 10,000 above its port if it is a cluster. */
const LAST_PORT = 22_240;

/** A port of 127.0.0.1 that nobody listens on. */
export async function serverPort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}
