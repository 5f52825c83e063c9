// Probes the shop with one defect, or without any.
import { fileURLToPath } from "node:url";
import { gather } from "../../src/gather/gather.ts";
import { judgeRecording } from "../../src/judge/judge.ts";
import type { EraRevision, Recording, StimulusName } from "../../src/recording/recording.ts";
import type { CheckState, Report } from "../../src/report/report.ts";
import type { ProbeWaits } from "../../src/wire/limits.ts";
import { COMPILE_CACHE } from "../support/compile-cache.ts";
import { GIVEN_KEY, TOKEN } from "./defect.ts";
import { EVERY_DEFECT } from "./defects/index.ts";
import { startBadServer } from "./http.ts";

/** How the shop is probed. */
export interface ShopProbe {
  readonly transport: "http" | "stdio";
  /** The name of the defect. @default none */
  readonly defect?: string;
  /** Whether it wants a token. @default as the defect says */
  readonly auth?: boolean;
  /** @default both */
  readonly eras?: readonly EraRevision[];
  /** Send these groups and no others. @default all */
  readonly only?: readonly StimulusName[] | undefined;
  readonly waits?: Partial<ProbeWaits> | undefined;
}

/** Probes the shop, judges it, and stops it. */
export async function probeShop(options: ShopProbe): Promise<{ recording: Recording; report: Report }> {
  const defect = options.defect === undefined ? undefined : EVERY_DEFECT[options.defect];
  const auth = options.auth ?? defect?.auth ?? false;
  const server =
    options.transport === "http" ? await startBadServer({ auth, ...(defect !== undefined && { defect }) }) : undefined;
  try {
    const gathered = await gather(
      server === undefined ? programOf(options.defect) : { transport: "http", url: server.url.href },
      {
        allowPrompts: true,
        eras: options.eras,
        headers: {
          ...(auth && { authorization: `Bearer ${TOKEN}` }),
          ...(defect?.key === true && { "x-api-key": GIVEN_KEY }),
        },
        ...(server === undefined && {
          env: { ...COMPILE_CACHE, ...(defect?.key === true && { SHOP_API_KEY: GIVEN_KEY }) },
        }),
        only: options.only,
        waits: options.waits,
        signal: new AbortController().signal,
        now: Date.now,
      },
    );
    if (!gathered.ok) throw new Error(`${gathered.failure.message}\n${gathered.failure.detail}`);
    return { recording: gathered.recording, report: judgeRecording(gathered.recording) };
  } finally {
    await server?.close();
  }
}

function programOf(defect: string | undefined) {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const args = [
    "--conditions=@recourse/source",
    main,
    "--stdio",
    ...(defect === undefined ? [] : ["--defect", defect]),
  ];
  return { transport: "stdio", command: process.execPath, args } as const;
}

const NOT_FOUND: readonly string[] = ["pass", "skipped", "untested"] satisfies readonly CheckState[];

/** The ids of everything that was found, consequences and previews too. */
export function findingsOf({ checks }: Report): readonly string[] {
  return checks.filter(({ state }) => !NOT_FOUND.includes(state)).map(({ id }) => id);
}
