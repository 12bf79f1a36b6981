import Type from 'typebox';
import { Day } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { Period } from './statement.ts';

export const periodParameters = {
  from: Type.Optional(Day('The first day, included; the first of the month of `to` if left out.')),
  to: Type.Optional(Day('The last day, included; today if left out.')),
};

export function periodOf(
  { from, to }: { from?: string; to?: string },
  site: Site,
  nowMs: number,
): Period {
  const last = to ?? site.calendar.dayOf(nowMs);
  return { from: from ?? `${last.slice(0, 7)}-01`, to: last };
}
