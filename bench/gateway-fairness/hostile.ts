// The hostile caller of the fairness run, in a process of its own that gets the CPU that the others leave.
import { setPriority } from "node:os";
import { type AttackName, attack } from "./attacks.ts";

/** An order of the bench: attacks to run, or the end of them. */
export type HostileOrder =
  | { readonly names: readonly AttackName[]; readonly url: string; readonly key: string }
  | "stop";

setPriority(10);
let stopping: AbortController | undefined;
let running: Promise<unknown> = Promise.resolve();
process.on("message", (order: HostileOrder) => {
  if (order === "stop") {
    stopping?.abort();
    void running.then(() => process.send?.("stopped"));
    return;
  }
  const { names, url, key } = order;
  stopping = new AbortController();
  const { signal } = stopping;
  running = Promise.all(names.map((name) => attack(name, { url, key, signal })));
  process.send?.("started");
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
