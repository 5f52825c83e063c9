import { onTestFinished } from "vitest";

interface Closeable {
  close(): Promise<void>;
}

const open: Closeable[] = [];

/**
 * Closes these after the test, in this order. A hook of a module would belong to the first of the test files that share it.
 *
 * @param place - before or after what is to be closed already
 */
export function closeAfterTest(ones: readonly Closeable[], place: "first" | "last" = "last"): void {
  if (open.length === 0) {
    onTestFinished(async () => {
      for (const one of open.splice(0)) await one.close();
    });
  }
  open.splice(place === "first" ? 0 : open.length, 0, ...ones);
}
