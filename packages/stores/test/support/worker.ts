// One process of a guarded server whose processes share idempotency keys. It prints its address when it listens, and when the
// handler of a tool begins and ends, so that its parent can disturb it in the middle of a call.
import { startTill } from "./till.ts";
import type { WorkerSetup } from "./worker-process.ts";

const setup = JSON.parse(process.argv[2] ?? "{}") as WorkerSetup;
const { url } = await startTill(setup, (what) => console.log(what));
console.log(url.href);
// The test has ended, or was ended.
process.stdin.on("end", () => process.exit()).resume();
