// What an outage of thirty seconds costs the upstream, with the retry engine and with clients that retry at once.
// Run with `node --conditions=@recourse/source bench/outage.ts`; time is virtual, so the figures are exact.
import {
  CLIENT_TYPES,
  type ClientType,
  OUTAGES,
  type OutageName,
  simulateOutage,
} from "../packages/core/test/retry/outage.ts";

for (const outage of Object.keys(OUTAGES) as OutageName[]) {
  console.log(`\n200 clients, 1 call a second each; the upstream ${outage} for 30 s`);
  for (const client of Object.keys(CLIENT_TYPES) as ClientType[]) {
    const report = await simulateOutage(outage, client);
    console.log(
      [
        client.padEnd(22),
        `steady ${report.steady}/s`,
        `during ${report.during.toFixed(2)} × steady`,
        `peak after ${report.peak}/s`,
        `last failure ${(report.normalAfterMs / 1_000).toFixed(1)} s after the end`,
        `${report.lostAfter} calls lost after the end`,
      ].join(" | "),
    );
  }
}
