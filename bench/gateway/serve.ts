// A bare server of the bench in a process of its own: node bench/gateway/serve.ts stub|piped|lean [<the address it stands in front of>]

import { reportPort } from "./report.ts";
import { SERVERS, type ServerName } from "./servers.ts";

const [name, target = "http://127.0.0.1"] = process.argv.slice(2) as [ServerName, string?];
const server = SERVERS[name](new URL(target));
server.listen(0, "127.0.0.1", () => reportPort(server));
