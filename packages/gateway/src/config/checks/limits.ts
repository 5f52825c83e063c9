import { bytes, rateOf } from "../units.ts";
import { type Check, problem, warning } from "./check.ts";

/** Limits that have no effect, let nothing through, or contradict the store. */
export const limitsChecks: Check = function* (raw, isWritten) {
  const { tools = {}, limits, store, away } = raw;
  const cost = limits.cost === undefined ? undefined : rateOf(limits.cost);
  for (const [pattern, rule] of Object.entries(tools)) {
    if (!isWritten("tools", pattern, "cost")) continue;
    if (!isWritten("limits", "cost"))
      yield warning(
        ["tools", pattern, "cost"],
        "cost has no effect without limits.cost.",
        "Write limits: { cost: { rate: 100/m, burst: 100 } }.",
      );
    else if (cost !== undefined && rule.cost > cost.burst)
      yield problem(
        ["tools", pattern, "cost"],
        "a call costs more than the burst of limits.cost, so it can never pass.",
        "Raise limits.cost.burst, or lower the cost.",
      );
  }
  if (store === "memory" && away.replicas > 1)
    yield problem(
      ["away", "replicas"],
      "store: memory is one process.",
      "Remove away.replicas, or use Redis and PostgreSQL as the store.",
    );
  if (store === "memory" && isWritten("away", "limits"))
    yield warning(["away", "limits"], "memory is never away, so this has no effect.", "Remove it.");
  if (store !== "memory" && away.limits === "local" && !isWritten("away", "replicas"))
    yield warning(
      ["away", "limits"],
      "each process would count the whole limit while Redis is away.",
      "Write away.replicas: the number of processes.",
    );
  if (store === "memory" && isWritten("limits", "mode"))
    yield warning(["limits", "mode"], "in memory every limit is exact, so this has no effect.", "Remove it.");
  if (bytes(raw.maxHeld) < bytes(raw.maxAnswer))
    yield problem(["maxHeld"], "it is smaller than maxAnswer.", "Make it several times as large as maxAnswer.");
};
