import Type from 'typebox';
import { StringEnum } from '../../src/kernel/declare/schemas.ts';
import { defineManagerSetting, inGroup } from '../../src/kernel/declare/setting.ts';

export const rankings = ['sales', 'orders'] as const;
export const periods = ['month', 'quarter', 'year', 'days_30'] as const;

export const leaderboardEnabled = defineManagerSetting(
  'leaderboard.enabled',
  Type.Boolean(),
  false,
  'Affiliates see the best of them in the portal. Only affiliates that agreed in their profile are named.',
);

export const ranking = defineManagerSetting(
  'leaderboard.by',
  StringEnum(rankings),
  'sales',
  'What the places are decided by: `sales`, or the number of `orders`.',
);

export const period = defineManagerSetting(
  'leaderboard.period',
  StringEnum(periods),
  'month',
  'What counts: the orders of this `month`, `quarter` or `year`, or of the last 30 days (`days_30`).',
);

export const placesShown = defineManagerSetting(
  'leaderboard.places',
  Type.Integer({ minimum: 1, maximum: 50 }),
  10,
  'How many places are shown.',
);

export const othersShown = defineManagerSetting(
  'leaderboard.others',
  StringEnum(['anonymous', 'left_out']),
  'anonymous',
  'Affiliates who have not agreed keep their place without a name (`anonymous`), or are `left_out`.',
);

export const leaderboardSettings = inGroup(
  { name: 'leaderboard', title: 'Leaderboard', position: 95 },
  {
    'Leaderboard in the portal': leaderboardEnabled,
    'Places by': ranking,
    Period: period,
    'Places shown': placesShown,
    'Affiliates who have not agreed': othersShown,
  },
);
