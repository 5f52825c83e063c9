import type { Planted } from "../recording/recording.ts";

/** Values that exist nowhere. They are the same in every probe, so two recordings of one server can be compared. */
export const MISSING = {
  text: "recourse-probe-missing",
  path: "/recourse-probe/missing",
  url: "https://recourse-probe.invalid/",
  email: "recourse-probe@recourse-probe.invalid",
  uuid: "00000000-0000-0000-0000-000000000000",
} as const;

/** What a probe plants, to see whether it comes back. */
export const PLANTED: Planted = {
  canary: "recourse-canary-8f3a61c2d94e",
  canaryName: "RECOURSE_PROBE_CANARY",
  bait: "sk-probe-7Qm2Zx9LwT4vKp8RbN3sYd6H",
};
