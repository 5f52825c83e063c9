import { bearer, openapi } from "@recourse/bridge";
import { expect, onTestFinished, test } from "vitest";
import { ROUTES } from "../service/routes.ts";

test("the document lists the routes of the service, and no others", async () => {
  const bridge = await openapi(new URL("openapi.yaml", import.meta.url), {
    server: "https://orders.example.com",
    credential: bearer("a-key-of-nobody"),
  });
  onTestFinished(() => bridge.close());
  const served = bridge.tools.map(({ operation: { method, path } }) => {
    const example = path.replace("{order_id}", "ORD-1001");
    return ROUTES.findIndex((route) => route.method === method && route.path.test(example));
  });
  expect(served.toSorted()).toEqual([...ROUTES.keys()]);
  expect(bridge.tools.find(({ name }) => name === "placeOrder")?.inputSchema).toMatchObject({
    required: ["customer", "items", "deliver_to"],
  });
});
