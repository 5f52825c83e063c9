import type { Server } from "node:http";
import { serve } from "@recourse/reference-shared";
import { CLIENT_ADDRESS_HEADER } from "../access/identify.ts";
import type { App } from "../app.ts";

/** Serves the app with the HTTP server of Node. A header passes the address of the client. */
export function serveApp(app: App): Server {
  return serve((request, extra) => {
    request.headers.set(CLIENT_ADDRESS_HEADER, extra.incoming.socket.remoteAddress ?? "unknown");
    return app.fetch(request, extra);
  });
}
