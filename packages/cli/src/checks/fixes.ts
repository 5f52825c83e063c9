// Code that mends many findings, each part in one place.

/** Guards a server of the official SDK. */
export const GUARD = `import { guard } from "@recourse/faults/server";

const server = guard(new McpServer({ name: "orders", version: "1.0.0" }));`;

/** Guards the HTTP edge. */
export const EDGE = `import { guardHandler } from "@recourse/faults/server";

const handler = guardHandler(createMcpHandler(createServer));`;

/** Guards the HTTP edge of a Node server, before anything reads the body. */
export const EDGE_ON_NODE = `import { guardHandler, toNodeListener } from "@recourse/faults/server";

createServer(toNodeListener(guardHandler(createMcpHandler(createMcpServer))));`;

/** Guards the HTTP edge behind Express, whose own error pages are replaced too. */
export const EDGE_ON_EXPRESS = `import { edgeErrorHandler, guardHandler, toNodeListener } from "@recourse/faults/server";

app.all("/mcp", toNodeListener(guardHandler(createMcpHandler(createServer))));
app.use("/mcp", edgeErrorHandler());`;

/** Guards what arrives over stdio. */
export const STDIN = `import { guardStdin } from "@recourse/faults/server";

guardStdin(); // before the transport starts
serveStdio(createServer);`;

/** Guards both what arrives over stdio and what arrives over HTTP. */
export const STDIN_OR_EDGE = `import { guardHandler, guardStdin } from "@recourse/faults/server";

guardStdin(); // over stdio, before the transport starts
const handler = guardHandler(createMcpHandler(createServer)); // over HTTP`;

/** Keeps stray prints out of the pipe. */
export const STDOUT = `import { guardStdout } from "@recourse/faults/server";

guardStdout(); // the first line of the program`;
