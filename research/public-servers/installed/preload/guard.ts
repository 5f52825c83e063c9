// Loaded before an installed server starts (`node --import`): guards each server of the official SDK when it connects, so that
// the published code runs unchanged. The SDK may lie in any folder, or be bundled with the server, so the hook is the method
// `connect` of every module, and the shape of the object decides what it is. It says on stderr what it guarded.
import { writeSync } from "node:fs";
import { registerHooks } from "node:module";
import { registerSecrets } from "@recourse/core";
import { type GuardOptions, guard } from "@recourse/core/server";
import { GUARDED, REFUSED } from "../marks.ts";

const HOOK = "recourseStudy";
const CONNECT = /\basync connect\(\s*\w+\s*\)\s*\{/g;
const CONNECTS = /\b(?:_requestHandlers|server\.connect)\b/;

registerSecrets(process.env["REGISTERED_SECRET"]);
const options = JSON.parse(process.env["GUARD"] ?? "{}") as GuardOptions;
const seen = new WeakSet<object>();

Object.assign(globalThis, { [HOOK]: guardOnce });

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (loaded.source === undefined || loaded.source === null || loaded.format === "json") return loaded;
    const code =
      typeof loaded.source === "string" ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString();
    if (!CONNECTS.test(code)) return loaded;
    return { ...loaded, source: code.replaceAll(CONNECT, (start) => `${start} globalThis.${HOOK}(this);`) };
  },
});

/** An `McpServer` connects the low-level `Server` that it has, which is then no server of its own. */
function guardOnce(object: object): void {
  const isHigh = "_registeredTools" in object && "server" in object;
  const isLow = "_requestHandlers" in object && "_serverInfo" in object;
  if (seen.has(object) || !(isHigh || isLow)) return;
  seen.add(object);
  if (isHigh) seen.add(object.server as object);
  try {
    guard(object, options);
    writeSync(2, `${GUARDED} ${isHigh ? "McpServer" : "Server"}\n`);
  } catch (cause) {
    writeSync(2, `${REFUSED} ${(cause as Error).message}\n`);
  }
}
