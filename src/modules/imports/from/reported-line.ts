import type { Item } from './model.ts';

/** What becomes of a line. */
export const lineOutcomes = ['new', 'known', 'changed', 'skipped', 'refused'] as const;
export type LineOutcome = (typeof lineOutcomes)[number];

/** A line of a file in the report; the engine fills in its result. */
export interface ReportedLine {
  readonly file: string;
  readonly line: number;
  /** The kind of record that the line is mainly about. */
  readonly kind: Item['kind'] | 'line';
  outcome: LineOutcome | undefined;
  readonly messages: string[];
}
