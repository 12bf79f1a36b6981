import Type from 'typebox';
import { defineMoneySetting, inGroup } from '../../src/kernel/declare/setting.ts';

/** The name of the add-on. */
export const MULTILEVEL = 'multilevel';

const TIERS_MAX = 10;

export const tiers = defineMoneySetting(
  'multilevel.tiers',
  Type.Integer({ minimum: 1, maximum: TIERS_MAX }),
  3,
  'How many tiers of the upline earn from the orders of each affiliate.',
);

export const percents = defineMoneySetting(
  'multilevel.percents',
  Type.Array(Type.Number({ minimum: 0, maximum: 100 }), { maxItems: TIERS_MAX }),
  [5, 2, 1],
  "What each tier earns, the parent first, in percent of the order's base. Applies to new orders.",
);

export const multilevelSettings = inGroup(
  { name: 'multilevel', title: 'Levels', position: 90 },
  { 'Levels that earn': tiers, 'Percentages of the levels': percents },
);
