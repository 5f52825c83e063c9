import type { Fault, Recourse } from "@recourse/faults";
import { amendFault, composeAgain, provenanceOf } from "@recourse/faults/internal-do-not-use";

/** How a caller knows what an upstream names. */
export interface Names {
  /** What was called, as the upstream knows it, and as the caller does. */
  readonly target: string | undefined;
  readonly name: string | undefined;
  /** The name of a tool for this caller, `hidden`, or undefined where the upstream has no such tool. */
  readonly nameOf: (tool: string) => string | "hidden" | undefined;
}

/** Params that name the tool or the prompt that was called. */
const NAME_PARAMS = ["tool", "prompt"] as const;

/** The fault with the names that the caller uses. Tools that the caller does not see are not named to it. */
export function translateNames(fault: Fault, names: Names): Fault {
  const { cause } = fault;
  const inner = cause && translateNames(cause, names);
  const moved = translateMoves(fault, names);
  const renamed = renameCalled(moved, names);
  return inner === cause ? renamed : amendFault(renamed, { cause: inner });
}

function translateMoves(fault: Fault, names: Names): Fault {
  if (fault.recourse.every(({ tool, candidates }) => tool === undefined && candidates === undefined)) return fault;
  const tools: string[] = [];
  const [first, ...more] = fault.recourse;
  const recourse: Fault["recourse"] = [
    translateMove(first, names, tools),
    ...more.map((one) => translateMove(one, names, tools)),
  ];
  const provenance = provenanceOf(fault);
  return amendFault(fault, { recourse }, provenance === undefined ? {} : { provenance: { ...provenance, tools } });
}

/** A tool has to be one that the caller sees. A candidate may also be a value of an argument, which stays. */
function translateMove(move: Recourse, { nameOf }: Names, tools: string[]): Recourse {
  const { tool, candidates, ...rest } = move;
  const named = tool === undefined ? undefined : nameOf(tool);
  const isShown = named !== undefined && named !== "hidden";
  if (isShown) tools.push(named);
  const kept = candidates?.flatMap((candidate) => {
    const known = nameOf(candidate);
    if (known === undefined) return [candidate];
    if (known === "hidden") return [];
    tools.push(known);
    return [known];
  });
  return {
    ...rest,
    ...(isShown && { tool: named }),
    ...(kept !== undefined && kept.length > 0 && { candidates: kept }),
  };
}

/** A sentence of the library that names what was called names it as the caller does. */
function renameCalled(fault: Fault, { target, name }: Names): Fault {
  const { params } = fault;
  if (params === undefined || name === undefined || target === name) return fault;
  const key = NAME_PARAMS.find((one) => params[one] === target);
  if (key === undefined) return fault;
  const renamed = { ...params, [key]: name };
  const message = composeAgain(fault, renamed)?.message;
  return message === undefined ? fault : amendFault(fault, { params: renamed, message });
}
