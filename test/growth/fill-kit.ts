const DAY_MS = 86_400_000;

/** Rows that are added have the numbers from here on, in every table: user 1500 owns coupon 1500 of order 1500. */
export const FIRST = 1_001;
/** The rows before this one are recent; a larger store has more of a history, not more to do today. */
export const RECENT_END = 2_001;
/** The few rows that a person sets up, such as webhooks: made with the first numbers. */
export const FEW = 5;

/** SQL for values of row `i`. */
export interface FillKit {
  readonly nowMs: number;
  /** Nearly all rows have the usual value. */
  rare(usual: string, other: string): string;
  /** One of the few rows that a person sets up. */
  readonly few: string;
  /** The first few rows have the first value, however many there are. */
  first(value: string, others: string): string;
  /** Work that is due: the same few rows, however many there are. */
  due(ms: number): string;
  readonly placedAt: string;
  readonly day: string;
}

export function fillKit(nowMs: number): FillKit {
  const recent = (ms: string, old: string) =>
    `case when i < ${RECENT_END} then ${ms} else ${old} end`;
  const placedAt = recent(
    `${nowMs} - i % 20 * ${DAY_MS}`,
    `${nowMs} - (500 + i % 1000) * ${DAY_MS}`,
  );
  const first = (value: string, others: string) =>
    `case when i < ${FIRST + FEW} then ${value} else ${others} end`;
  return {
    nowMs,
    rare: (usual, other) => `case when i % 50 = 0 then '${other}' else '${usual}' end`,
    few: `${FIRST} + i % ${FEW}`,
    first,
    due: (ms) => first(String(ms), 'null'),
    placedAt,
    day: `date((${placedAt}) / 1000, 'unixepoch')`,
  };
}
