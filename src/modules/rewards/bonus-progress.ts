import type { Reader } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import type { Earner } from './own-rules.ts';
import type { CounterKind } from './rule.ts';

/** How far an affiliate is with a bonus, in its current window. */
export interface BonusProgress {
  readonly id: number;
  readonly sentence: string;
  readonly by: CounterKind | null;
  readonly value: number;
  readonly at: number;
  readonly paid: boolean;
}

interface BonusReader extends Earner {
  readonly language: Language;
  readonly nowMs: number;
}

type ReadProgress = (db: Reader, site: Site, affiliate: BonusReader) => Promise<BonusProgress[]>;

/** The module of bonuses contributes how far affiliates are. */
export const bonusProgress = new Point<ReadProgress>('rewards.bonus-progress');
