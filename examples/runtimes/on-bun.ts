import { app } from "./app.ts";

declare const Bun: {
  serve(options: object): { readonly port: number };
};

const { port } = Bun.serve({ fetch: app, port: 0, hostname: "127.0.0.1", idleTimeout: 60 });
console.log(`port ${port}`);
