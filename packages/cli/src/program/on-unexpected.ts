/**
 * Takes over exceptions and rejections that nothing has caught, which otherwise end the program. Returns what gives them back.
 * A program that serves many goes on: if it ended, one caller who finds a bug could end it for everybody, again and again.
 */
export function onUnexpected(listener: (error: unknown, where: string) => void): () => void {
  const onException = (error: unknown) => listener(error, "uncaught exception");
  const onRejection = (error: unknown) => listener(error, "unhandled rejection");
  process.on("uncaughtException", onException);
  process.on("unhandledRejection", onRejection);
  return () => {
    process.off("uncaughtException", onException);
    process.off("unhandledRejection", onRejection);
  };
}
