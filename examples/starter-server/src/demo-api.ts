// A shop that stands in for your REST API, on this machine. It has the two failures that every API has: it is down for a
// moment, and an answer gets lost after the work was done. Delete this file when you connect your own API.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Order, ShopApiOptions } from "./shop-api.ts";

const KEY = "demo-key-5f0c1d7a92";
/** The answer to a refund of this order is lost. */
const LOST_ANSWER = 9;

/** Starts the shop on a free port. It does not keep the process alive. */
export async function startDemoApi(): Promise<ShopApiOptions> {
  const orders = new Map<number, Order>([
    [7, { order: 7, item: "lamp", cents: 4_200, status: "shipped" }],
    [8, { order: 8, item: "desk", cents: 31_900, status: "open" }],
    [9, { order: 9, item: "chair", cents: 8_900, status: "open" }],
  ]);
  let parcelRequests = 0;

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: KEY };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object, headers: Record<string, string> = {}) =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${KEY}`) return void send(401, { error: "unauthorized" });

    const [, resource, id] = (request.url ?? "").split("/");
    if (resource === "orders" || resource === "parcels") {
      const order = orders.get(Number(id));
      if (order === undefined) return void send(404, { error: "not found" });
      if (resource === "orders") return void send(200, order);
      parcelRequests += 1;
      if (parcelRequests === 1) return void send(503, { error: "maintenance" }, { "retry-after": "1" });
      return void send(200, { order: order.order, place: order.status === "shipped" ? "Lyon" : "our warehouse" });
    }
    if (resource === "refunds" && request.method === "POST") {
      const { order: number } = JSON.parse(await text(request)) as { order: number };
      const order = orders.get(number);
      if (order === undefined) return void send(404, { error: "not found" });
      orders.set(number, { ...order, status: "refunded" });
      if (number === LOST_ANSWER) return void request.socket.destroy();
      return void send(200, { order: number, cents: order.cents });
    }
    send(404, { error: "not found" });
  }
}
