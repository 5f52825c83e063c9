/** What ends a wait early: a signal, or something cheaper that becomes a signal only for those who need one. */
export type Ending = AbortSignal | Departure;

/** What hears of an ending, once. */
interface EndingListener {
  handleEvent(): void;
}

const ONCE = { once: true };

/**
 * Whether a caller has gone. Every call listens for it and hardly any caller goes, and a signal with a listener takes far
 * longer to make than this.
 */
export class Departure {
  #isOver = false;
  #controller: AbortController | undefined = undefined;
  /** The first one that listens; the signal serves all others. */
  #listener: EndingListener | undefined = undefined;

  get aborted(): boolean {
    return this.#isOver;
  }

  /** The same as a signal. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isOver) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.handleEvent();
    this.#controller?.abort();
  }

  listen(listener: EndingListener): void {
    if (this.#listener === undefined) this.#listener = listener;
    else listenTo(this.signal, listener);
  }

  unlisten(listener: EndingListener): void {
    if (this.#listener === listener) this.#listener = undefined;
    else if (this.#controller !== undefined) unlistenTo(this.#controller.signal, listener);
  }
}

/** Calls the listener when it ends, if it has not ended before. */
export function listenTo(ending: Ending, listener: EndingListener): void {
  if (ending instanceof Departure) ending.listen(listener);
  else ending.addEventListener("abort", listener, ONCE);
}

/** The listener is not called any more. */
export function unlistenTo(ending: Ending, listener: EndingListener): void {
  if (ending instanceof Departure) ending.unlisten(listener);
  else ending.removeEventListener("abort", listener);
}

/** An ending as a signal. */
export function toSignal(ending: Ending): AbortSignal {
  return ending instanceof Departure ? ending.signal : ending;
}
