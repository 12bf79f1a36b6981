import { defineEffect } from '../../kernel/declare/setting-effect.ts';
import { countOf } from '../../shared/count-of.ts';
import { listAdministrators } from '../users/index.ts';
import { requireOfAdministrators } from './settings.ts';
import { usersWithFactor } from './two-factor-state.ts';

export const requireEffect = defineEffect(requireOfAdministrators, async ({ db, after }) => {
  if (!after) return { text: 'Administrators may sign in with their password alone.' };
  const ids = (await listAdministrators(db)).map(({ id }) => id);
  const count = ids.length - (await usersWithFactor(db, ids)).size;
  if (count === 0) return { count, text: 'Every administrator already has a second factor.' };
  const have = count === 1 ? 'has' : 'have';
  return {
    count,
    text: `${countOf(count, 'administrator')} ${have} no second factor and must set one up before anything else.`,
  };
});
