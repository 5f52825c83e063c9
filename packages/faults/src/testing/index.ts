// For tests of your own servers and clients: strings that must not cross, strings that must, and a check.

export type { Benign } from "./corpus/benign.ts";
export { benign } from "./corpus/benign.ts";
export type { Leak } from "./corpus/leaks.ts";
export { leaks } from "./corpus/leaks.ts";
export { expectNoLeak, findLeaks } from "./no-leak.ts";
