import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { didYouMean } from '../../shared/nearest.ts';
import { affiliateUpdated, findAffiliate } from '../affiliates/index.ts';
import { emit } from '../events/index.ts';
import { DisplayName, findUser, saveProfile } from '../users/index.ts';
import { AccountSchema, LanguageChoice, toAccount } from './account-wire.ts';
import { noticeNames, withChoices } from './notifications.ts';
import { accountUpdated, changeable } from './profile-events.ts';

export const changeAccount = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/account',
  summary: "Change the caller's name, language or notices",
  access: 'user',
  scope: 'write',
  whileSuspended: true,
  body: Type.Object(
    {
      display_name: Type.Optional(DisplayName),
      language: Type.Optional(LanguageChoice),
      notifications: Type.Optional(
        Type.Record(Type.String(), Type.Boolean(), {
          maxProperties: 20,
          description: 'Notices to switch on or off, by name; others stay as they are.',
        }),
      ),
    },
    { $id: 'ChangeAccount' },
  ),
  example: { body: { display_name: 'Maya Ortiz', language: 'de' } },
  response: AccountSchema,
  check({ notifications = {} }, errors, site) {
    const known = noticeNames(site);
    for (const name of Object.keys(notifications)) {
      if (known.includes(name)) continue;
      errors.add(`notifications.${name}`, `does not exist.${didYouMean(name, known)}`);
    }
  },
  async handle({ db, site, caller, nowMs }, { display_name, language, notifications = {} }) {
    const { id } = caller.person!;
    await db.lock(`account ${id}`);
    // The caller was identified by its row.
    const before = (await findUser(db, id))!;
    const after = {
      ...before,
      display_name: display_name ?? before.display_name,
      language: language ?? before.language,
      muted_notices: withChoices(before, notifications),
    };
    const columns = { display_name: 'display_name', language: 'language' } as const;
    const changed = changeable.filter((name) => {
      const column = name === 'notifications' ? 'muted_notices' : columns[name];
      return after[column] !== before[column];
    });
    if (changed.length > 0) {
      await saveProfile(db, after);
      db.afterCommitEverywhere(() => site.invalidateCaches());
      const about = { objectId: id, userId: id, nowMs };
      emit(db, accountUpdated, {
        ...about,
        info: `User ${id} changed its account: ${changed.join(', ')}.`,
        data: { user_id: id, changed },
      });
      if (changed.includes('display_name') && (await findAffiliate(db, id))) {
        emit(db, affiliateUpdated, {
          ...about,
          info: `Affiliate ${id} changed: display_name.`,
          data: { user_id: id, changed: ['display_name'] },
        });
      }
    }
    return toAccount(db, site, caller, after);
  },
});
