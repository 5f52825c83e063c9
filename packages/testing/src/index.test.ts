import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import * as testing from "./index.ts";
import * as peer from "./peer/index.ts";

// These lists are the public interface. A change here changes what users rely on.

test("the package has these entry points", () => {
  expect(Object.keys(manifest.exports)).toEqual([".", "./peer", "./package.json"]);
});

test("testing exports these names", () => {
  expect(Object.keys(testing).sort()).toEqual([
    "benign",
    "dialectLaws",
    "expectNoLeak",
    "findLeaks",
    "generators",
    "idempotencyStoreLaws",
    "leaks",
  ]);
});

test("the misbehaving peer exports these names", () => {
  expect(Object.keys(peer).sort()).toEqual([
    "MISBEHAVE_HEADER",
    "MISBEHAVE_KEY",
    "MISBEHAVIOURS",
    "PEER_OPTIONS",
    "SECRET",
    "STDIO_MISBEHAVIOURS",
    "misbehave",
    "misbehaveStdio",
    "readPeerOptions",
    "serveThisProcess",
  ]);
});
