/** How a probing transport is treated. */
interface ProbeOptions {
  /** Whether the transport it stands in for pipes its stderr. */
  readonly pipesStderr: boolean;
  readonly watch: (probe: object) => void;
}

type Transport = new (params: object) => object;

/**
 * Watches the process that version 2 of the SDK starts only to ask for the server's revision.
 *
 * A server that cannot start dies there already, and the SDK throws its last words away. It makes that transport from
 * the `constructor` of the one it was given, and only if that is its own class: so the class stays, and only this
 * property is set.
 */
export function watchProbe(transport: object, { pipesStderr, watch }: ProbeOptions): void {
  const prototype: unknown = Object.getPrototypeOf(transport);
  if (typeof prototype !== "object" || prototype === null || !Object.hasOwn(prototype, "_dispose")) return;
  const Original = transport.constructor as Transport;
  function Probe(params: object): object {
    const probe = new Original({ ...params, ...(pipesStderr && { stderr: "pipe" }) });
    watch(probe);
    return probe;
  }
  Object.defineProperty(transport, "constructor", { value: Probe, configurable: true, writable: true });
}
