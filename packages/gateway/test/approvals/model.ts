// Approvals as a person would explain them: rows of one binding, changed by one operation at a time.
import type { ConsumeAnswer } from "../../src/approvals/approvals.ts";

/** What was done, and what the store answered. */
export type Observed =
  | { readonly do: "call"; readonly binding: string; readonly call: string; readonly answer: ConsumeAnswer }
  | { readonly do: "decide"; readonly id: string; readonly approve: boolean; readonly isDecided: boolean }
  | { readonly do: "giveBack"; readonly id: string; readonly call: string }
  | { readonly do: "expire"; readonly id: string };

interface Row {
  readonly id: string;
  readonly binding: string;
  readonly state: "pending" | "approved" | "denied" | "consumed";
  readonly isLive: boolean;
  readonly call: string | undefined;
}

/** All rows, the oldest first. */
export type Model = readonly Row[];

/** The model after an operation; undefined where the answer is wrong. */
function after(model: Model, one: Observed): Model | undefined {
  switch (one.do) {
    case "call":
      return afterCall(model, one);
    case "decide": {
      const row = model.find(({ id }) => id === one.id);
      const isDecided = row?.state === "pending" && row.isLive;
      if (isDecided !== one.isDecided) return undefined;
      return isDecided ? changed(model, one.id, { state: one.approve ? "approved" : "denied" }) : model;
    }
    case "giveBack": {
      const row = model.find(({ id }) => id === one.id);
      const isOwn = row?.state === "consumed" && row.isLive && row.call === one.call;
      return isOwn ? changed(model, one.id, { state: "approved", call: undefined }) : model;
    }
    case "expire":
      return changed(model, one.id, { isLive: false });
    default:
      return one satisfies never;
  }
}

function afterCall(
  model: Model,
  { binding, call, answer }: Extract<Observed, { readonly do: "call" }>,
): Model | undefined {
  const known = model.filter((row) => row.binding === binding);
  const live = known.filter((row) => row.isLive);
  const inState = (state: Row["state"]): Model => live.filter((row) => row.state === state);
  const [denied, approved, pending] = [inState("denied"), inState("approved"), inState("pending")];
  if (answer.state === "full") return undefined;
  const isOneOf = (rows: Model) => rows.some(({ id }) => id === answer.id);
  if (denied.length > 0) return answer.state === "denied" && isOneOf(denied) ? model : undefined;
  if (approved.length > 0) {
    if (answer.state !== "consumed" || !isOneOf(approved)) return undefined;
    return changed(model, answer.id, { state: "consumed", call });
  }
  if (pending.length > 0) return answer.state === "pending" && isOneOf(pending) ? model : undefined;
  const expected = known.length === 0 ? "pending" : "expired";
  const isNew = model.every(({ id }) => id !== answer.id);
  if (answer.state !== expected || !isNew) return undefined;
  return [...model, { id: answer.id, binding, state: "pending", isLive: true, call: undefined }];
}

function changed(model: Model, id: string, change: Partial<Row>): Model {
  return model.map((row) => (row.id === id ? { ...row, ...change } : row));
}

/**
 * The models that operations at the same time can lead to: one after the other in some order, with these answers. None is
 * left where no order explains what was observed.
 */
export function afterAll(models: readonly Model[], together: readonly Observed[]): readonly Model[] {
  if (together.length === 0) return models;
  const found = together.flatMap((first, at) => {
    const rest = together.toSpliced(at, 1);
    const next = models.map((model) => after(model, first)).filter((model) => model !== undefined);
    return next.length === 0 ? [] : afterAll(next, rest);
  });
  return [...new Map(found.map((model) => [JSON.stringify(model), model])).values()];
}
