// The gateway of the soak, in a process of its own: it reloads and reports its memory when it is asked to.
import { type GatewayConfig, startGateway } from "@recourse/gateway";

/** Memory and handles after a forced collection. */
export interface SoakSample {
  readonly rssMib: number;
  readonly heapMib: number;
  readonly externalMib: number;
  /** Handles that keep a process alive, by type. */
  readonly handles: Readonly<Record<string, number>>;
}

/** What the gateway is asked for. */
export type SoakOrder = "sample" | "close" | { readonly reload: GatewayConfig };

const gateway = await startGateway(JSON.parse(process.argv[2] ?? "{}") as GatewayConfig);
process.on("unhandledRejection", (error) => process.send?.({ unhandled: String(error) }));
process.on("disconnect", () => process.exit(0));
process.on("message", (order: SoakOrder) => {
  if (order === "sample") process.send?.(sample());
  else if (order === "close") void gateway.close().then(() => process.exit(0));
  else
    gateway.reload(order.reload).then(
      () => process.send?.({ reloaded: true }),
      (error: unknown) => process.send?.({ unhandled: String(error) }),
    );
});
process.send?.({ port: Number(gateway.url.port) });

function sample(): SoakSample {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const handles: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) handles[name] = (handles[name] ?? 0) + 1;
  return { rssMib: rss / 2 ** 20, heapMib: heapUsed / 2 ** 20, externalMib: external / 2 ** 20, handles };
}
