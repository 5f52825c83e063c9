import type { JSX } from "preact";

const line = {
  fill: "none",
  stroke: "currentColor",
  "stroke-width": 1.5,
  "stroke-linecap": "round",
  "stroke-linejoin": "round",
} as const;

/** The shapes, each in a square of 16. Shapes of effects and states have a fixed meaning. */
const SHAPES = {
  none: <circle cx="8" cy="8" r="5.25" fill="none" stroke="currentColor" stroke-width="1.5" />,
  possible: (
    <g>
      <circle cx="8" cy="8" r="5.25" fill="none" stroke="currentColor" stroke-width="1.5" />
      <path d="M8 2.75a5.25 5.25 0 0 1 0 10.5z" fill="currentColor" />
    </g>
  ),
  applied: <circle cx="8" cy="8" r="6" fill="currentColor" />,
  search: <path {...line} d="M11.25 7a4.25 4.25 0 1 1-8.5 0 4.25 4.25 0 0 1 8.5 0zM10.2 10.2l3.3 3.3" />,
  copy: (
    <path
      {...line}
      d="M7.1 5.5h4.8c.9 0 1.6.7 1.6 1.6v4.8c0 .9-.7 1.6-1.6 1.6H7.1a1.6 1.6 0 0 1-1.6-1.6V7.1c0-.9.7-1.6 1.6-1.6zM10.5 3.2A1.7 1.7 0 0 0 9 2.5H4.2A1.7 1.7 0 0 0 2.5 4.2V9c0 .7.3 1.2.8 1.5"
    />
  ),
  arrow: <path {...line} d="M5.5 3.5 10 8l-4.5 4.5" />,
  out: (
    <path
      {...line}
      d="M6.5 3.5H4A1.5 1.5 0 0 0 2.5 5v7A1.5 1.5 0 0 0 4 13.5h7a1.5 1.5 0 0 0 1.5-1.5V9.5M9 2.5h4.5V7M13 3 7.5 8.5"
    />
  ),
  breaker: <path {...line} d="M2.5 11h3l5-6M10.5 11h3" />,
  config: (
    <path
      {...line}
      d="M2.5 5h5M11.5 5h2M2.5 11h2M8.5 11h5M11.3 5a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0zM8.3 11a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0z"
    />
  ),
  person: (
    <path {...line} d="M10.6 5.4a2.6 2.6 0 1 1-5.2 0 2.6 2.6 0 0 1 5.2 0zM3 13.2c.6-2.6 2.5-3.9 5-3.9s4.4 1.3 5 3.9" />
  ),
  process: <path {...line} d="M8 13.5v-9M4.5 7.5 8 4l3.5 3.5" />,
  store: (
    <path
      {...line}
      d="M3 4.5c0-1.1 2.2-2 5-2s5 .9 5 2-2.2 2-5 2-5-.9-5-2zM3 4.5v7c0 1.1 2.2 2 5 2s5-.9 5-2v-7M3 8c0 1.1 2.2 2 5 2s5-.9 5-2"
    />
  ),
  now: <path {...line} d="M1.8 8.2h2.6L6 3.6l3.4 8.8 1.8-4.2h3" />,
  list: <path {...line} d="M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01" />,
  check: <path {...line} d="M3 8.6 6.2 12 13 4.4" />,
  cross: <path {...line} d="m4 4 8 8M12 4l-8 8" />,
  plug: <path {...line} d="M5.5 2.5v3M10.5 2.5v3M3.5 5.5h9v2a4.5 4.5 0 0 1-9 0zM8 12v2" />,
  more: <path {...line} stroke-width="2.6" d="M3.5 8h.01M8 8h.01M12.5 8h.01" />,
  moon: <path {...line} d="M13 9.6A5.4 5.4 0 0 1 6.4 3a5.4 5.4 0 1 0 6.6 6.6z" />,
  sun: (
    <path
      {...line}
      d="M10.7 8a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0zM8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1"
    />
  ),
} as const satisfies Record<string, JSX.Element>;

/** The name of a shape. */
export type IconName = keyof typeof SHAPES;

/** A shape. It is decoration: what it means stands beside it in words. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[name]}
    </svg>
  );
}
