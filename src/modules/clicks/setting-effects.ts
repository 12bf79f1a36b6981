import { defineEffect } from '../../kernel/declare/setting-effect.ts';
import { countOf } from '../../shared/count-of.ts';
import { codeParameters, cookieDays } from './settings.ts';

const cookieEffect = defineEffect(cookieDays, ({ after }) => ({
  text: `An order is credited to a click of the last ${countOf(after, 'day')}, clicks so far included.`,
}));

const parametersEffect = defineEffect(codeParameters, ({ before, after }) => {
  const gone = before.filter((name) => !after.includes(name)).map((name) => `?${name}=`);
  const stopped = `Links to the store with ${gone.join(' or ')} no longer lead to an affiliate. `;
  return {
    text: `${gone.length > 0 ? stopped : ''}The script on the pages of the store follows within ten minutes.`,
  };
});

export const clickEffects = [cookieEffect, parametersEffect];
