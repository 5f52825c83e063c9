import { ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { expect, test } from "vitest";
import { observeTransport, recourse } from "../../../src/client/index.ts";
import { connectObserved, serveCalls } from "./observed/call-server.ts";

/** A server whose calls get a stream that never brings an answer. */
async function silent(ids: boolean, open: Set<object>): Promise<URL> {
  const { url } = await serveCalls(({ response }) => {
    open.add(response);
    response.on("close", () => open.delete(response));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(ids ? 'id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\n' : ": wait\n\n");
  });
  return url;
}

const CASES = ERAS.flatMap((era): [Era, boolean][] => [
  [era, false],
  [era, true],
]);

test.each(CASES)("%s: a call that timed out leaves no stream open (events with ids: %s)", async (era, ids) => {
  const transport = observeTransport();
  const open = new Set<object>();
  const client = await connectObserved(era, await silent(ids, open), transport);
  const mcp = recourse(client as never, { transport });
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => mcp.call("wait", {}, { deadlineMs: 150 })));
  expect(outcomes.every((outcome) => !outcome.ok && outcome.fault.reason === "core/timeout")).toBe(true);
  await expect.poll(() => open.size, { timeout: 5_000 }).toBe(0);
});
