import { describe, expect, it } from "vitest";
import { callOf } from "../../test/catalog/support/calls.ts";
import { Cancellations } from "./cancellations.ts";

const begin = (cancellations: Cancellations, id: string | number, ended: (string | number)[] = []) => {
  const call = callOf("tools/call", { name: "a" }, { id });
  cancellations.add(call);
  if (call.cancellation !== undefined) call.cancellation.run = () => void ended.push(id);
  return () => {
    for (const run of call.afterwards ?? []) run(undefined);
  };
};
const cancel = (cancellations: Cancellations, requestId: string | number) =>
  cancellations.cancel(callOf("notifications/cancelled", { requestId }, { id: undefined }));

describe("Cancellations", () => {
  it("forget a call when it has ended, so that many short calls push no long one out", () => {
    const cancellations = new Cancellations();
    const ended: (string | number)[] = [];
    begin(cancellations, "long", ended);
    for (let id = 0; id < 11_000; id++) begin(cancellations, id)();
    expect(cancellations.size).toBe(1);
    cancel(cancellations, "long");
    expect(ended).toEqual(["long"]);
  });

  it("remember at most 10,000 calls", () => {
    const cancellations = new Cancellations();
    for (let id = 0; id < 10_050; id++) begin(cancellations, id);
    expect(cancellations.size).toBe(10_000);
  });

  it("end a call with a very long id by it, and no other", () => {
    const cancellations = new Cancellations();
    const ended: (string | number)[] = [];
    const long = "x".repeat(100_000);
    begin(cancellations, long, ended);
    cancel(cancellations, `${long}y`);
    expect(ended).toEqual([]);
    cancel(cancellations, long);
    expect(ended).toEqual([long]);
  });

  it("end neither of two calls with one id, until both have ended", () => {
    const cancellations = new Cancellations();
    const ended: (string | number)[] = [];
    const endFirst = begin(cancellations, 1, ended);
    const endSecond = begin(cancellations, 1, ended);
    endFirst();
    cancel(cancellations, 1);
    expect(ended).toEqual([]);
    endSecond();
    expect(cancellations.size).toBe(0);
    begin(cancellations, 1, ended);
    cancel(cancellations, 1);
    expect(ended).toEqual([1]);
  });
});
