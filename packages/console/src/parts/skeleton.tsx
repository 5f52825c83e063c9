import { useEffect, useState } from "preact/hooks";

/** What comes sooner needs no bones. */
const AFTER_MS = 300;

/** Grey bones of the final size, after a moment. */
export function Skeleton({ lines }: { readonly lines: number }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={isLate ? "bones shown" : "bones"} aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="bone" />
      ))}
    </div>
  );
}
