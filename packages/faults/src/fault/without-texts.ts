import { keepAssumption } from "./assumed-effect.ts";
import { type Fault, packFault, type Recourse } from "./fault.ts";
import { KINDS, knownKind } from "./kinds.ts";
import { provenanceOf } from "./provenance.ts";

/** The fault without texts, for where no filter may read them any more: only words of the contract and numbers stay. */
export function withoutTexts(fault: Fault): Fault {
  const [first, ...more] = fault.recourse;
  const bare = packFault(
    {
      v: 1,
      kind: fault.kind,
      class: fault.class,
      reason: fault.reason,
      message: KINDS[knownKind(fault)].fallbackMessage,
      recourse: Object.freeze([plainMove(first), ...more.map(plainMove)] as const),
      effect: fault.effect,
      retry: fault.retry,
      origin: Object.freeze({ layer: fault.origin.layer }),
      basis: fault.basis,
      tried: fault.tried,
      incident: fault.incident,
      at: fault.at,
      trace: fault.trace,
    },
    provenanceOf(fault),
  );
  return keepAssumption(bare, fault);
}

/** The verb of a move and its number: no sender can put words into these. */
export function plainMove({ do: move, afterMs }: Recourse): Recourse {
  return { do: move, ...(afterMs !== undefined && { afterMs }) };
}
