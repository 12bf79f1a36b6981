import type { Reader } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';

/** A step of the first hour of a store. */
export interface FirstStep {
  readonly name: string;
  /** What to do, in English. */
  readonly title: string;
  /** Without it, a step is done when the team confirms it. */
  isDone?(db: Reader, site: Site): Promise<boolean>;
}

export const firstSteps = new Point<FirstStep>('overview.first-steps');
