import { expect, it } from "vitest";
import { guardHandler } from "./guard-handler.ts";

const request = () => new Request("http://127.0.0.1/", { method: "OPTIONS" });

it("works on classes with private members", async () => {
  class App {
    readonly #name = "app";
    count = 0;
    fetch(_: Request): Promise<Response> {
      return Promise.resolve(new Response(this.#name));
    }
    hello(): string {
      return `hello from ${this.#name}`;
    }
  }
  const app = new App();
  const guarded = guardHandler(app);
  expect(await (await guarded.fetch(request())).text()).toBe("app");
  expect(guarded.hello()).toBe("hello from app");
  expect(guarded).toBeInstanceOf(App);
  guarded.count = 3;
  expect(app.count).toBe(3);
  expect("hello" in guarded).toBe(true);
});

it("works on frozen objects, and can be spread", async () => {
  const guarded = guardHandler(
    Object.freeze({ fetch: (_: Request): Promise<Response> => Promise.reject(new Error("x")), close: () => "closed" }),
    {
      sink: () => {},
    },
  );
  expect((await { ...guarded }.fetch(request())).status).toBe(500);
  expect(guarded.close()).toBe("closed");
});

it("passes every further argument on", async () => {
  const seen: unknown[] = [];
  const worker = (_: Request, ...rest: unknown[]) => {
    seen.push(...rest);
    return Promise.resolve(new Response());
  };
  await guardHandler(worker)(request(), { env: 1 }, { context: 2 });
  expect(seen).toEqual([{ env: 1 }, { context: 2 }]);
});

it("says at once when there is nothing to guard", () => {
  expect(() => guardHandler({} as never)).toThrow(TypeError);
});

it("never throws, even on what is no request", async () => {
  const guarded = guardHandler((_: Request) => Promise.resolve(new Response()), { sink: () => {} });
  expect((await guarded(undefined as unknown as Request)).status).toBe(500);
  const clockless = guardHandler((_: Request) => Promise.resolve(new Response()), { now: () => expect.unreachable() });
  expect((await clockless(request())).status).toBe(500);
});
