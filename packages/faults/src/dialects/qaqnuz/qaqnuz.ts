import type { Dialect } from "../dialect.ts";
import { decode } from "./decode.ts";
import { encode, type QaqnuzContext, type QaqnuzWire } from "./encode.ts";
import { keeps } from "./keeps.ts";

/** qaqnuz: five classes and one sentence that is safe to show, with a hint where repeating may help. */
export const qaqnuz: Dialect<QaqnuzWire, QaqnuzContext> = { name: "qaqnuz", encode, decode, keeps };
