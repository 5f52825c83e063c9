import { expect, it } from "vitest";
import { serversIn } from "./servers.ts";

it("fills in the defaults of variables", () => {
  const servers = [
    { url: "https://{host}/v{n}", variables: { host: { default: "a.example" }, n: { default: "2" } } },
    { url: "/relative" },
    { url: "https://{nobody}/" },
    { url: 5 },
    null,
  ];
  expect(serversIn({ servers })).toEqual(["https://a.example/v2", "/relative"]);
  expect(serversIn(undefined)).toEqual([]);
});
