import Type from 'typebox';
import { defineManagerSetting, inGroup } from '../../kernel/declare/setting.ts';
import { attributionGroup } from '../../kernel/declare/setting-groups.ts';

export const cookieDays = defineManagerSetting(
  'attribution.cookie_days',
  Type.Integer({ minimum: 1, maximum: 3650 }),
  30,
  'Number of days after a click within which an order is credited to it.',
);

export const DAY_MS = 24 * 60 * 60_000;

export const clickSettings = inGroup(attributionGroup, { 'Days that a click counts': cookieDays });
