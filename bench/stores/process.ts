// One of the processes of bench/stores.ts: says that it is ready, waits, and prints what it measured.
import { once } from "node:events";
import { measure, type Setup, type Subject } from "./measure.ts";

interface Task {
  readonly subject: Subject;
  readonly setup: Setup;
  readonly calls: number;
  readonly atATime: number;
}

const { subject, setup, calls, atATime } = JSON.parse(process.argv[2] ?? "{}") as Task;
const ready = () => {
  console.log("ready");
  process.stdin.resume();
  return once(process.stdin, "end");
};
console.log(JSON.stringify(await measure(subject, setup, { calls, atATime, ready })));
