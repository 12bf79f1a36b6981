import { defineEffect } from '../../kernel/declare/setting-effect.ts';
import { countOf } from '../../shared/count-of.ts';
import { codeParameters, cookieDays, subParameters } from './settings.ts';

const cookieEffect = defineEffect(cookieDays, ({ after }) => ({
  text: `An order is credited to a click of the last ${countOf(after, 'day')}, clicks so far included.`,
}));

const parametersEffect = defineEffect(codeParameters, ({ before, after }) => {
  const gone = before.filter((name) => !after.includes(name)).map((name) => `?${name}=`);
  const stopped = `Links to the store with ${gone.join(' or ')} no longer lead to affiliates. `;
  return {
    text: `${gone.length > 0 ? stopped : ''}The script on the pages of the store follows within ten minutes.`,
  };
});

const subsEffect = defineEffect(subParameters, ({ before, after }) => {
  const gone = before.filter((alias) => !after.includes(alias)).map((alias) => `?${alias}`);
  const stopped = `New clicks no longer have the sub-ids of ${gone.join(' and ')}. `;
  return {
    text: `${gone.length > 0 ? stopped : ''}Links use it from the next click on, the script on the pages of the store within ten minutes.`,
  };
});

export const clickEffects = [cookieEffect, parametersEffect, subsEffect];
