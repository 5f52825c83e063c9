// One event stream for a browser, whatever the number of its tabs: the tab that holds the lock reads it and passes events
// on. What a browser gives is injected, so that a test can be the browser.

/** What one tab passes on to the others. */
export type TabMessage =
  | { readonly type: "event"; readonly name: string; readonly data: string }
  /** Events were missed: what is shown has to be asked for again. */
  | { readonly type: "reset" };

/** What the stream says. */
export interface StreamHandlers {
  readonly onEvent: (name: string, data: string) => void;
  /** The stream has ended and does not come back by itself. */
  readonly onEnd: () => void;
}

/** What a tab needs of the browser. */
export interface TabWorld {
  /** Waits for the lock and runs `hold`; the lock is free again when its promise ends. */
  readonly lock: (hold: () => Promise<void>, signal: AbortSignal) => Promise<void>;
  readonly post: (message: TabMessage) => void;
  readonly onMessage: (handler: (message: TabMessage) => void) => () => void;
  /** Opens the stream. Gives what closes it. */
  readonly open: (handlers: StreamHandlers) => () => void;
  readonly isHidden: () => boolean;
  readonly onVisibility: (handler: () => void) => () => void;
  readonly now: () => number;
  /** Runs something after a while. Gives what prevents it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** What a tab tells its page. */
export interface TabOutput {
  readonly onEvent: (name: string, data: string) => void;
  readonly onReset: () => void;
  /** Whether events come: `live`, `polling` if none comes, `paused` if nobody looks. */
  readonly onState: (state: "live" | "polling" | "paused") => void;
  /** The stream was refused or has ended. */
  readonly onEnd: () => void;
}

/** A hidden tab keeps its place for this long. */
export const HIDDEN_MS = 5 * 60_000;
/** The stream speaks each second: after this long without a word the stream counts as lost. */
export const STREAM_SILENT_MS = 10_000;
/** A connection that has been silent for this long is opened again. */
const DEAD_MS = 45_000;
/** How long to wait before the stream is opened again. */
const STREAM_REOPEN_MS = [2_000, 5_000, 15_000, 30_000] as const;

/** Takes part: as the reader of the stream, or as one that waits for its place. Gives what ends it. */
export function joinTabs(world: TabWorld, output: TabOutput): () => void {
  let queue: AbortController | undefined;
  let stopReading: (() => void) | undefined;
  let stopHiding: (() => void) | undefined;
  let hasLeft = false;
  let lastWord = world.now();

  const hear = (message: TabMessage): void => {
    lastWord = world.now();
    if (message.type === "reset") output.onReset();
    else output.onEvent(message.name, message.data);
    output.onState("live");
  };
  const hold = () =>
    new Promise<void>((free) => {
      const stop = readEventStream(world, {
        onMessage: (message) => {
          world.post(message);
          hear(message);
        },
        onEnd: () => {
          lastWord = Number.NEGATIVE_INFINITY;
          output.onState("polling");
          output.onEnd();
        },
      });
      stopReading = () => {
        stop();
        stopReading = undefined;
        free();
      };
    });
  const join = (): void => {
    if (queue !== undefined) return;
    const own = new AbortController();
    queue = own;
    const done = () => {
      if (queue === own) queue = undefined;
    };
    world.lock(hold, own.signal).then(done, done);
  };
  const leave = (): void => {
    queue?.abort();
    queue = undefined;
    stopReading?.();
  };
  const onVisibility = (): void => {
    stopHiding?.();
    stopHiding = undefined;
    if (world.isHidden()) {
      stopHiding = world.after(HIDDEN_MS, () => {
        hasLeft = true;
        leave();
        output.onState("paused");
      });
      return;
    }
    if (hasLeft) output.onReset();
    hasLeft = false;
    lastWord = world.now();
    join();
  };
  let stopWatch = world.after(STREAM_SILENT_MS, watch);
  function watch(): void {
    if (world.now() - lastWord >= STREAM_SILENT_MS) output.onState(hasLeft ? "paused" : "polling");
    stopWatch = world.after(STREAM_SILENT_MS / 4, watch);
  }

  const stopMessages = world.onMessage(hear);
  const stopVisibility = world.onVisibility(onVisibility);
  onVisibility();
  if (world.isHidden()) join();
  return () => {
    stopMessages();
    stopVisibility();
    stopHiding?.();
    stopWatch();
    leave();
  };
}

/** Reads the stream, and opens it again when it ends. The first event after a gap is preceded by a reset. */
function readEventStream(
  world: TabWorld,
  { onMessage, onEnd }: { readonly onMessage: (message: TabMessage) => void; readonly onEnd: () => void },
): () => void {
  let stopTimer = () => {};
  let close = () => {};
  let ends = 0;
  let isGap = false;
  let lastWord = world.now();
  const open = (): void => {
    lastWord = world.now();
    close = world.open({
      onEvent: (name, data) => {
        lastWord = world.now();
        ends = 0;
        if (isGap || name === "reset") onMessage({ type: "reset" });
        isGap = false;
        if (name !== "reset") onMessage({ type: "event", name, data });
      },
      onEnd: () => {
        again(STREAM_REOPEN_MS[Math.min(ends, STREAM_REOPEN_MS.length - 1)] ?? 0);
        ends += 1;
        onEnd();
      },
    });
    check();
  };
  const again = (ms: number): void => {
    stopTimer();
    close();
    isGap = true;
    stopTimer = world.after(ms, open);
  };
  const check = (): void => {
    stopTimer = world.after(DEAD_MS / 3, () => (world.now() - lastWord >= DEAD_MS ? again(0) : check()));
  };
  open();
  return () => {
    stopTimer();
    close();
  };
}
