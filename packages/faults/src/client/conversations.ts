import { createLoopGuard, type LoopGuard } from "../retry/index.ts";

/** The loop guard of each conversation, for as long as somebody holds the conversation. */
const guards = new WeakMap<object, LoopGuard>();

/** The loop guard of a conversation, which any object can stand for. */
export function guardOf(conversation: object): LoopGuard {
  const known = guards.get(conversation);
  if (known !== undefined) return known;
  const guard = createLoopGuard();
  guards.set(conversation, guard);
  return guard;
}
