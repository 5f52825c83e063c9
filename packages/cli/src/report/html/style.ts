/** The style of the page. No file is loaded, and the policy of the page allows this text alone. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #fff; --raised: #f6f7f9; --line: #d9dde3; --text: #1b2027; --soft: #545d6a; --link: #0b57c2;
  --critical: #b3123a; --high: #b83a00; --medium: #7d5700; --low: #40566e; --info: #40566e;
  --good: #17713b; --grade: #545d6a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --raised: #1d2127; --line: #353c46; --text: #e7eaee; --soft: #a5afbb; --link: #7db5ff;
    --critical: #ff7b96; --high: #ff9a62; --medium: #e2b54b; --low: #a3b8cf; --info: #a3b8cf;
    --good: #5fcf8b; --grade: #a5afbb;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: anywhere; }
main { max-width: 900px; margin: 0 auto; padding: 24px 16px 48px; }
a { color: var(--link); }
h1 { font-size: 1.45rem; line-height: 1.25; margin: 0; }
h2 { font-size: 1.1rem; margin: 36px 0 10px; }
h3 { font-size: .8rem; font-weight: 600; color: var(--soft); margin: 14px 0 4px; }
p { margin: 4px 0; }
ul, ol { margin: 4px 0; padding-left: 20px; }
code, pre { font: .84rem/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 8px 10px; margin: 0; white-space: pre-wrap; max-height: 16em; overflow: auto; }
pre.command { user-select: all; }
pre.line { user-select: all; white-space: pre; }
.soft { color: var(--soft); }
.small { font-size: .88rem; }
header { display: grid; grid-template-columns: auto 1fr; gap: 4px 20px; align-items: center; }
.ring { width: 112px; height: 112px; }
.ring .track { stroke: var(--line); }
.ring .value { stroke: var(--grade); }
.ring .possible { stroke: var(--grade); opacity: .25; }
.ring text { fill: var(--text); text-anchor: middle; font-family: inherit; }
.ring .number { font-size: 34px; font-weight: 700; }
.ring .range { font-size: 25px; font-weight: 700; }
.ring .letter { font-size: 17px; font-weight: 600; }
.grade-A { --grade: var(--good); } .grade-B { --grade: var(--good); } .grade-C { --grade: var(--medium); }
.grade-D { --grade: var(--high); } .grade-F { --grade: var(--critical); }
.bars { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 12px 16px; margin: 26px 0 0; padding: 0; list-style: none; }
.bars li { font-size: .88rem; }
.bars div { display: flex; white-space: nowrap; justify-content: space-between; gap: 8px; }
.bars svg { display: block; width: 100%; height: 6px; border-radius: 3px; }
.bars .none { fill: var(--line); } .bars .good { fill: var(--good); } .bars .critical { fill: var(--critical); }
.bars .high { fill: var(--high); } .bars .medium { fill: var(--medium); } .bars .low, .bars .info { fill: var(--low); }
.untested { border: 1px solid var(--medium); border-left-width: 5px; border-radius: 8px; padding: 10px 14px; margin: 20px 0 0; }
.untested pre { margin: 4px 0; white-space: pre-wrap; }
.steps { list-style: none; padding: 0; margin: 0; counter-reset: step; border: 1px solid var(--line); border-radius: 8px; }
.steps li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 16px; padding: 10px 14px; border-top: 1px solid var(--line); }
.steps li:first-child { border-top: 0; }
.steps p { margin: 0; }
.steps pre { grid-column: 1 / -1; margin: 4px 0; }
.steps .small { grid-column: 1 / -1; overflow-wrap: break-word; }
.steps .points { font-weight: 700; color: var(--good); white-space: nowrap; }
details { border: 1px solid var(--line); border-radius: 8px; margin: 8px 0; }
details > summary { cursor: pointer; padding: 9px 14px; list-style: none; }
details > summary::-webkit-details-marker { display: none; }
details > summary:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; border-radius: 8px; }
summary.finding { display: grid; grid-template-columns: 12px 66px 1fr auto; gap: 0 10px; align-items: baseline; }
summary.finding::before, summary.fold::before { content: "▸"; color: var(--soft); }
details[open] > summary.finding::before, details[open] > summary.fold::before { content: "▾"; }
summary.fold { display: grid; grid-template-columns: 12px 1fr auto; gap: 0 10px; font-weight: 600; }
.severity { font-size: .82rem; font-weight: 700; }
.severity.critical { color: var(--critical); } .severity.high { color: var(--high); } .severity.medium { color: var(--medium); }
.severity.low, .severity.info { color: var(--low); }
.cost { white-space: nowrap; font-variant-numeric: tabular-nums; font-weight: 600; }
.body { padding: 0 14px 14px; border-top: 1px solid var(--line); }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 0 14px; }
.sides > div { min-width: 0; }
.plain { list-style: none; padding: 0; margin: 8px 0 0; }
.plain li { display: grid; grid-template-columns: minmax(170px, 26%) 1fr; gap: 0 14px; padding: 3px 0; }
footer { margin-top: 36px; padding-top: 12px; border-top: 1px solid var(--line); }
@media (max-width: 640px) {
  main { padding: 16px 12px 32px; }
  header { gap: 4px 14px; }
  .ring { width: 84px; height: 84px; }
  h1 { font-size: 1.2rem; }
  .sides { grid-template-columns: 1fr; }
  .bars { grid-template-columns: repeat(2, 1fr); }
  summary.finding { grid-template-columns: 12px 1fr auto; }
  summary.finding .what { grid-column: 2 / -1; grid-row: 2; }
  .plain li { grid-template-columns: 1fr; }
}
@media print {
  @page { margin: 14mm; }
  body { font-size: 12px; }
  main { max-width: none; padding: 0; }
  h2 { margin: 16px 0 6px; }
  pre, pre.line { max-height: none; white-space: pre-wrap; }
  details, .steps li { break-inside: avoid; }
  details { margin: 4px 0; }
  details > summary { padding: 4px 10px; }
  .ring { width: 84px; height: 84px; }
}
`;
