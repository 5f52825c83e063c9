import { createSdkClient, ERAS } from "@recourse/test-kit/sdk-pairs";
import { expect, test } from "vitest";
import { callWithRef } from "../../test/peers/client/observed/call-server.ts";
import { stdioScript, stdioServer } from "../../test/peers/client/observed/stdio-server.ts";
import { observeTransport } from "../client/transport/observed-fetch.ts";
import { lineRing } from "./stdio.ts";

const MARK = { id: "a", attempt: 1 };

test.each(ERAS)("%s: a server that dies before it greets leaves its last words and its code", async (era) => {
  const watched = observeTransport();
  const code = 'process.stderr.write("Error: no DATABASE_URL\\n    at boot", () => process.exit(3))';
  await expect(createSdkClient(era).connect(watched.child(stdioScript(era, code)))).rejects.toThrow();
  await expect
    .poll(() => watched.connection())
    .toEqual({
      stderr: ["Error: no DATABASE_URL", "    at boot"],
      exit: { code: 3, signal: null },
    });
});

test.each(ERAS)("%s: a server that is killed leaves the signal, known when the call fails", async (era) => {
  const watched = observeTransport();
  const client = createSdkClient(era);
  await client.connect(watched.child(stdioServer(era, 'process.kill(process.pid, "SIGKILL")')));
  expect(watched.connection()).toEqual({ stderr: [] });
  await expect(callWithRef(era, client as never, MARK)).rejects.toThrow();
  expect(watched.connection().exit).toEqual({ code: null, signal: "SIGKILL" });
});

test("a server that is asked for its revision by another process is still the one that is told of", async () => {
  const watched = observeTransport();
  const client = createSdkClient("v2 modern");
  const transport = stdioServer("v2 modern", 'process.stderr.write("called\\n", () => process.exit(5))');
  await client.connect(watched.child(transport));
  // The process that was asked has ended; the one that serves has not.
  expect(watched.connection()).toEqual({ stderr: [] });
  await expect(callWithRef("v2 modern", client as never, MARK)).rejects.toThrow();
  expect(watched.connection()).toEqual({ stderr: ["called"], exit: { code: 5, signal: null } });
});

test("only the last lines are kept, and a talkative server is not stopped by a full pipe", async () => {
  const watched = observeTransport();
  const client = createSdkClient("v2 legacy");
  const talk =
    'for (let n = 1; n <= 5000; n += 1) console.error(n + " " + "x".repeat(900)); process.stderr.write("", () => process.exit(0));';
  await client.connect(watched.child(stdioServer("v2 legacy", talk)));
  await expect(callWithRef("v2 legacy", client as never, MARK)).rejects.toThrow();
  const { stderr } = watched.connection();
  expect(stderr.map((line) => Number.parseInt(line, 10))).toEqual(Array.from({ length: 50 }, (_, at) => 4_951 + at));
  expect(stderr.every((line) => line.length === 500)).toBe(true);
});

test("a server whose stderr goes elsewhere still leaves its code", async () => {
  const watched = observeTransport();
  await expect(
    createSdkClient("v1").connect(watched.child(stdioScript("v1", "process.exit(4)", "ignore"))),
  ).rejects.toThrow();
  await expect.poll(() => watched.connection()).toEqual({ stderr: [], exit: { code: 4, signal: null } });
});

test("a transport of another shape is given back as it is", () => {
  const transport = { send: () => {} };
  expect(observeTransport().child(transport)).toBe(transport);
  expect(Object.keys(transport)).toEqual(["send"]);
});

test("a line without end costs no more than its limit, and the next one begins anew", () => {
  const ring = lineRing({ max: 2, maxLength: 4 });
  for (let piece = 0; piece < 100; piece += 1) ring.add("long");
  expect(ring.lines()).toEqual(["long"]);
  ring.add("\r\n\nnext line\nopen");
  expect(ring.lines()).toEqual(["next", "open"]);
});
