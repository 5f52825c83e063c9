/** A function that returns what another one throws. */
export function caught(run: () => unknown): () => Promise<unknown> {
  return async () => {
    try {
      await run();
    } catch (error) {
      return error;
    }
    throw new Error("nothing was thrown");
  };
}
