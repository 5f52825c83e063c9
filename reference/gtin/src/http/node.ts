import type { Server } from "node:http";
import { serve } from "@recourse/reference-ground";
import { PEER_ADDRESS } from "../access/identify.ts";
import type { App } from "../app.ts";

/** Serves an app with Node's own HTTP server; the address that a request came from stands in a header of ours. */
export function serveApp(app: App): Server {
  return serve((request, from) => {
    request.headers.set(PEER_ADDRESS, from);
    return app.fetch(request);
  });
}
