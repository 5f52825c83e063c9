import type { Fix } from "../checks/check.ts";
import type { Target } from "../recording/recording.ts";

/** The functions that mend findings, and where they help. */
const CALLS = [
  { name: "guard", call: "guard(server)", on: ["stdio", "http"] },
  { name: "guardHandler", call: "guardHandler(handler)", on: ["http"] },
  { name: "edgeErrorHandler", call: "edgeErrorHandler()", on: ["http"] },
  { name: "guardStdin", call: "guardStdin()", on: ["stdio"] },
  { name: "guardStdout", call: "guardStdout()", on: ["stdio"] },
] as const satisfies readonly { name: string; call: string; on: readonly Target["transport"][] }[];

/** A call with options mends what those options are about, and nothing else. */
const HAS_OPTIONS = /\bguard\w*\([^;]*,\s*\{/;

/** What the code of a fix comes down to on a transport, such as `guard(server)`. Undefined if it is more than calls. */
export function callsOf({ code }: Fix, transport: Target["transport"]): string | undefined {
  if (code === undefined || HAS_OPTIONS.test(code)) return undefined;
  const calls = CALLS.filter(
    ({ name, on }) => on.some((one) => one === transport) && new RegExp(`\\b${name}\\(`).test(code),
  );
  return calls.length === 0 ? undefined : calls.map(({ call }) => call).join(" and ");
}
