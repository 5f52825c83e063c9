// Makes faults before the rules for texts are loaded, and lets them leave after that.
import { amendFault, judgedFault, toSentFault } from "../../../src/fault/amend.ts";
import type { Fault } from "../../../src/fault/fault.ts";
import { fail } from "../../../src/reasons/fail.ts";
import { loadTextFilter } from "../../../src/safety/full-search.ts";
import { releaseFault } from "../../../src/server/release.ts";

const text = "the stock service at 10.0.0.7 did not say in time how many pieces are left";
const make = () => fail.unavailable`No answer: ${text}.`;
const early = make();
const outer = fail.internal({ cause: early })`It failed.`;
const copy = amendFault(early.fault, { effect: "none" });
const sentForm = toSentFault(early.fault) as Fault;
loadTextFilter();
const left = (fault: Fault) => releaseFault(fault, {}).fault;
console.log(
  JSON.stringify({
    made: early.message,
    left: left(early.fault).message,
    later: left(make().fault).message,
    copied: left(copy).message,
    sent: judgedFault(sentForm).message,
    cause: left(outer.fault).cause?.message,
  }),
);
