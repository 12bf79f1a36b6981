import { defineEffect } from '../../kernel/declare/setting-effect.ts';
import { countOf } from '../../shared/count-of.ts';
import { cookieDays } from './settings.ts';

export const cookieEffect = defineEffect(cookieDays, ({ after }) => ({
  text: `An order is credited to a click of the last ${countOf(after, 'day')}, clicks so far included.`,
}));
