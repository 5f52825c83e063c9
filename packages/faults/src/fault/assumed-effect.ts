/** All copies of the package in a process share one set. It is not part of the fault, so no peer can write it. */
const SET = Symbol.for("recourse/assumed-effects");

/** Notes that the effect of a fault is what is usual for its kind, because its author stated none. */
export function noteAssumedEffect(fault: object): void {
  assumed().add(fault);
}

/** Whether the effect of a fault is only what is usual for its kind. Whoever knows the call better may correct it. */
export function isEffectAssumed(fault: object): boolean {
  return assumed().has(fault);
}

/** Lets a copy of a fault with the same effect say as much about it as the original. Returns the copy. */
export function keepAssumption<F extends object>(copy: F, original: object): F {
  if (isEffectAssumed(original)) noteAssumedEffect(copy);
  return copy;
}

function assumed(): WeakSet<object> {
  const shared = globalThis as { [SET]?: WeakSet<object> };
  shared[SET] ??= new WeakSet();
  return shared[SET];
}
