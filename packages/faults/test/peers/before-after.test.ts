import { expect, test } from "vitest";
import { CASES, type Seen, seenOf } from "./before-after.ts";
import { ERAS } from "./peers.ts";

const say = (seen: Seen | undefined): string =>
  seen?.verdict === "fault" ? (seen.fault?.reason ?? "resource/not_found") : `${seen?.verdict}`;

test("every leak, loss and hang of the bare server is gone", { timeout: 300_000 }, async () => {
  const rows = new Map(CASES.map(({ name }) => [name, [] as string[]]));
  for (const era of ERAS) {
    const bare = await seenOf(era, false);
    const guarded = await seenOf(era, true);
    for (const { name } of CASES) {
      rows.get(name)?.push(`${say(bare.get(name))} → ${say(guarded.get(name))}`);
      expect(guarded.get(name)?.verdict, `${era}: ${name}`).toBe("fault");
    }
  }
  const lines = [...rows].map(([name, cells]) => [name, ...cells].map((cell) => cell.padEnd(34)).join(" "));
  console.log(
    ["case", ...ERAS]
      .map((cell) => cell.padEnd(34))
      .join(" ")
      .concat("\n", lines.join("\n")),
  );
});
