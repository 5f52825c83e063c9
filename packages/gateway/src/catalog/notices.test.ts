import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Notices } from "./notices.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const setting = () => {
  const written: string[] = [];
  const notices = new Notices(({ method, uri }) => void written.push(uri === undefined ? method : `${method} ${uri}`));
  return { notices, written };
};

describe("Notices", () => {
  it("wait until the stream is open", () => {
    const { notices, written } = setting();
    for (let index = 0; index < 1_000; index++) notices.send({ method: "changed" });
    expect(written).toEqual([]);
    notices.open();
    expect(written).toEqual(["changed"]);
  });

  it("are sent at once, and again after a pause where more came", () => {
    const { notices, written } = setting();
    notices.open();
    for (let index = 0; index < 10_000; index++) {
      notices.send({ method: "changed" });
      notices.send({ method: "updated", uri: "a:1" });
    }
    expect(written).toEqual(["changed"]);
    vi.advanceTimersByTime(250);
    expect(written).toEqual(["changed", "updated a:1", "changed"]);
    vi.advanceTimersByTime(60_000);
    expect(written.length).toBe(3);
    notices.send({ method: "changed" });
    expect(written.length).toBe(4);
  });

  it("end with the stream", () => {
    const { notices, written } = setting();
    notices.open();
    notices.send({ method: "changed" });
    notices.send({ method: "changed" });
    notices.close();
    notices.send({ method: "changed" });
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual(["changed"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
