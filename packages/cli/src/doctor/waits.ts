import { type Sleep, sleep } from "@recourse/faults/internal-do-not-use";

/** How long a diagnosis waits beside `--timeout`. Times are in milliseconds. */
export interface DoctorWaits {
  /** A start that takes longer makes hosts give up. @default 5000 */
  readonly slowMs: number;
  /** Failures in the background show within this time. @default 1000 */
  readonly settleMs: number;
  /** A server that does not know the newer era says so at once, or never. @default 3000 */
  readonly secondEraMs: number;
  /** How long a program may run on after the end of its input. @default 2000 */
  readonly closeMs: number;
  /** A connection that is not open by then will not be. @default 5000 */
  readonly connectMs: number;
  /** A service that is asked in its own words answers at once. @default 3000 */
  readonly questionMs: number;
  /** A stream that the server holds open has to begin within this time. @default 5000 */
  readonly streamMs: number;
  /** Other paths are only looked at. @default 4000 */
  readonly lookMs: number;
  /** Waits for a program. @default real time */
  readonly sleep: Sleep;
}

/** The waits of `recourse doctor`. */
export const DOCTOR_WAITS: DoctorWaits = {
  slowMs: 5_000,
  settleMs: 1_000,
  secondEraMs: 3_000,
  closeMs: 2_000,
  connectMs: 5_000,
  questionMs: 3_000,
  streamMs: 5_000,
  lookMs: 4_000,
  sleep,
};
