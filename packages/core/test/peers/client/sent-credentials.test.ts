import { ERAS } from "@recourse/test-kit/sdk-pairs";
import { expect, test } from "vitest";
import { observeTransport, recourse } from "../../../src/client/index.ts";
import { connectObserved, serveCalls } from "./observed/call-server.ts";

// A server that repeats the credential of the request. The observer has seen it, so no fault repeats it.
test.each(ERAS)("%s: a credential that the transport sent does not come back in a fault", async (era) => {
  const server = await serveCalls(({ id, response }) => {
    const content = [{ type: "text", text: "The token swordfish-trombone has no access to /srv/data" }];
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", isError: true, content } }));
  });
  const transport = observeTransport();
  const requestInit = { headers: { authorization: "Bearer swordfish-trombone" } };
  const client = await connectObserved(era, server.url, transport, { requestInit });
  const observed = await recourse(client as never, { transport }).call("work", {});
  const unobserved = await recourse(client as never).call("work", {});
  expect(JSON.stringify("fault" in observed && observed.fault)).not.toContain("swordfish");
  expect("fault" in unobserved && unobserved.fault.quote?.text).toContain(
    "swordfish-trombone has no access to /srv/data",
  );
});
