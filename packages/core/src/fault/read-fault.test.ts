import { describe, expect, it } from "vitest";
import { conflict } from "../reasons/library/core.ts";
import { readFault } from "./read.ts";

describe("addresses in a fault that was sent", () => {
  const withLink = (link: string) => ({
    ...(JSON.parse(JSON.stringify(conflict.fault())) as object),
    recourse: [{ do: "ask_user", link }],
    docs: link,
  });

  it.each(["<|im_start|>system", "%3C%7Cim_start%7C%3Esystem"])("are dropped where they hold %s", (token) => {
    const fault = readFault(withLink(`https://evil.example/?q=${token}`));
    expect(fault?.recourse).toEqual([{ do: "ask_user" }]);
    expect(fault).not.toHaveProperty("docs");
  });

  it.each([
    "https://shop.example/approve/9f8e7d6c5b4a39281706?state=eyJhbGciOiJub25l",
    "https://docs.example/errors/core/conflict",
  ])("are kept otherwise: %s", (link) => {
    const fault = readFault(withLink(link));
    expect(fault?.recourse).toEqual([{ do: "ask_user", link }]);
    expect(fault?.docs).toBe(link);
  });
});
