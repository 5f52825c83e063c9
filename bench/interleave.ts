/** One thing to measure. */
export interface Task {
  readonly name: string;
  run(): unknown;
}

/**
 * Median time of each task in ns per run. The tasks take turns in short rounds, so that a slow moment of the machine
 * hits all of them alike.
 */
export function interleave(tasks: readonly Task[], rounds = 60, runs = 400): Map<string, number> {
  // Keeping the last result alive stops the engine from leaving work out.
  let kept: unknown;
  const times = new Map<string, number[]>(tasks.map((task) => [task.name, []]));
  for (let round = -10; round < rounds; round++) {
    for (const task of tasks) {
      const start = process.hrtime.bigint();
      for (let i = 0; i < runs; i++) kept = task.run();
      const each = Number(process.hrtime.bigint() - start) / runs;
      // The first rounds warm up.
      if (round >= 0) times.get(task.name)?.push(each);
    }
  }
  if (kept === interleave) throw new Error("unreachable");
  return new Map([...times].map(([name, all]) => [name, all.sort((a, b) => a - b)[all.length >> 1] ?? 0]));
}
