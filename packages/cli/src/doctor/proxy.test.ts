import { expect, test } from "vitest";
import { findProxy } from "./proxy.ts";

const url = new URL("https://shop.example/mcp");

test.for([
  [{ HTTPS_PROXY: "http://proxy:3128" }, "HTTPS_PROXY"],
  [{ https_proxy: "proxy:3128" }, "https_proxy"],
  [{ ALL_PROXY: "http://proxy:3128" }, "ALL_PROXY"],
  [{ HTTP_PROXY: "http://proxy:3128" }, undefined],
  [{ HTTPS_PROXY: "" }, undefined],
  [{ HTTPS_PROXY: "socks5://proxy:1080" }, undefined],
  [{ HTTPS_PROXY: "http://proxy", NO_PROXY: "localhost, .example" }, undefined],
  [{ HTTPS_PROXY: "http://proxy", NO_PROXY: "*" }, undefined],
  [{ HTTPS_PROXY: "http://proxy", NO_PROXY: "shop.example:8443" }, "HTTPS_PROXY"],
  [{ HTTPS_PROXY: "http://proxy", NO_PROXY: "notshop.example,op.example" }, "HTTPS_PROXY"],
] as const)("%o leads to the proxy of %s", ([env, variable]) => {
  expect(findProxy(url, env)?.variable).toBe(variable);
});
