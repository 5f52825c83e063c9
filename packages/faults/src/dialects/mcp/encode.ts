import type { Fault, Param } from "../../fault/fault.ts";
import { render } from "../../render/render.ts";
import { FAULT_KEY } from "../rpc.ts";
import type { Json } from "../wire.ts";
import { codeFor, type McpContext } from "./channel.ts";
import { FIXED_STATUS, LATEST } from "./revision.ts";

/** A tool result or a JSON-RPC error; the status only where the revision fixes one other than 200. */
export type McpWire =
  | { readonly result: Json }
  | {
      readonly error: { readonly code: number; readonly message: string; readonly data: Json };
      readonly status?: number;
    };

/** Writes a fault the way the revision and the method ask for it. */
export function encode(fault: Fault, context: McpContext = {}): McpWire {
  const code = codeFor(fault, context);
  if (code === undefined) return { result: resultOf(fault, context) };
  const status = FIXED_STATUS[context.revision ?? LATEST][code];
  const error = { code, message: fault.message, data: dataOf(fault, code) };
  return status === undefined ? { error } : { error, status };
}

function resultOf(fault: Fault, context: McpContext): Json {
  return {
    ...((context.revision ?? LATEST) === "2026-07-28" && { resultType: "complete" }),
    content: [{ type: "text", text: render(fault, { for: "model" }) }],
    isError: true,
    ...(context.outputSchema === false && { structuredContent: { fault } }),
    _meta: { [FAULT_KEY]: fault },
  };
}

/** The official client knows a missing resource only by `data` that is exactly its URI. */
export function isBareResource(fault: Fault): boolean {
  const known = typeof fault.params?.["uri"] === "string" && fault.effect === "none" && fault.basis !== "guessed";
  return fault.reason === "resource/not_found" && known;
}

function dataOf(fault: Fault, code: number): Json {
  if (isBareResource(fault)) return { uri: fault.params?.["uri"] };
  return { ...demanded(fault, code), [FAULT_KEY]: fault };
}

/** Members that the protocol demands beside a code. */
function demanded(fault: Fault, code: number): Json {
  if (code === -32021) {
    return { requiredCapabilities: capabilityTree(names(fault.params?.["capabilities"])) };
  }
  if (code === -32022) {
    return { supported: names(fault.params?.["supported"]), requested: fault.params?.["requested"] ?? "" };
  }
  if (code === -32042) return { elicitations: linksOf(fault) };
  return {};
}

/** The link to open, in the form that clients of that revision show; each needs an id. */
function linksOf(fault: Fault): Json[] {
  const asking = fault.recourse.find((move) => move.link !== undefined);
  const url = asking?.link;
  if (url === undefined) return [];
  return [{ mode: "url", elicitationId: asking?.approval ?? fault.incident ?? url, url, message: fault.message }];
}

/** `elicitation/form` is a capability within a capability. */
function capabilityTree(paths: readonly string[]): Json {
  const parts = paths.map((path) => /^([^/]*)\/?(.*)$/s.exec(path) ?? []);
  const groups = Map.groupBy(parts, ([, name = ""]) => name);
  return Object.fromEntries(
    [...groups].map(([name, inner]) => [
      name,
      Object.fromEntries(inner.flatMap(([, , within = ""]) => (within === "" ? [] : [[within, {}]]))),
    ]),
  );
}

function names(param: Param | undefined): string[] {
  return Array.isArray(param) ? param.filter((one) => typeof one === "string") : [];
}
