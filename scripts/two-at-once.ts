/** Runs jobs two at a time, for a machine with two cores. The results are in the order of the jobs. */
export async function twoAtOnce<T>(jobs: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  const waiting = jobs.entries();
  const work = async () => {
    for (const [at, job] of waiting) results[at] = await job();
  };
  await Promise.all([work(), work()]);
  return results;
}
