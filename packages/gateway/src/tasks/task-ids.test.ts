import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTaskIds, type KnownTask, MAX_TASK_ID } from "./task-ids.ts";

const SECRET = Buffer.from("secret");
const TASK: KnownTask = {
  upstream: "up",
  hasHandshake: true,
  session: "nonce",
  abilities: "fu",
  tool: "up__slow",
  taskId: "786512e2-9e0d-44bd-8f29-789f320fe840",
};
const text = fc.string({ unit: "grapheme", maxLength: 60 });
const task: fc.Arbitrary<KnownTask> = fc.record({
  upstream: text,
  hasHandshake: fc.boolean(),
  session: fc.option(text, { nil: undefined }),
  abilities: text,
  tool: text,
  taskId: fc.string({ unit: "grapheme", maxLength: 200 }),
});

describe("an id of a task", () => {
  it("is read by every replica with the secret, for the caller that it was written for and for no other", () => {
    fc.assert(
      fc.property(task, text, text, (given, caller, other) => {
        const written = createTaskIds(SECRET).write(caller, given) ?? "";
        expect(written).toMatch(/^[\x21-\x7e]+$/);
        expect(createTaskIds(SECRET).read(caller, written)).toEqual(given);
        expect(createTaskIds(Buffer.from("other")).read(caller, written)).toBeUndefined();
        if (other !== caller) expect(createTaskIds(SECRET).read(other, written)).toBeUndefined();
      }),
      { numRuns: runs(100) },
    );
  });

  it("is not read where a character was changed, added or left out", () => {
    const ids = createTaskIds(SECRET);
    const written = ids.write("c", TASK) ?? "";
    for (let at = 0; at < written.length; at++) {
      const [before, after] = [written.slice(0, at), written.slice(at + 1)];
      for (const changed of [
        before + after,
        `${before}0${written.slice(at)}`,
        `${before}A${after}`,
        `${before}.${after}`,
      ]) {
        if (changed !== written) expect(ids.read("c", changed), changed).toBeUndefined();
      }
    }
    // The last character of a signature has bits that say nothing: no other spelling of it counts.
    for (const last of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
      const spelled = written.slice(0, -1) + last;
      expect(ids.read("c", spelled) === undefined).toBe(spelled !== written);
    }
  });

  it("is none of the texts that this gateway did not write", () => {
    const ids = createTaskIds(SECRET);
    expect(ids.read("c", "")).toBeUndefined();
    expect(ids.read("c", TASK.taskId)).toBeUndefined();
    expect(ids.read("c", `t1.${"A".repeat(9_000)}.${"A".repeat(43)}`)).toBeUndefined();
  });

  it("has room for what upstreams write, up to a bound", () => {
    const ids = createTaskIds(SECRET);
    for (const unit of ["x", "é", "\u{1f600}", '"']) {
      const taskId = unit.repeat(MAX_TASK_ID / unit.length);
      const written = ids.write("c", { ...TASK, taskId }) ?? "";
      expect(ids.read("c", written)?.taskId).toBe(taskId);
      expect(ids.write("c", { ...TASK, taskId: `${taskId}x` })).toBeUndefined();
    }
  });

  it("leaves out a name of a tool that is too long", () => {
    const ids = createTaskIds(SECRET);
    const written = ids.write("c", { ...TASK, tool: "t".repeat(257) }) ?? "";
    expect(ids.read("c", written)).toEqual({ ...TASK, tool: "" });
  });
});
