import { actorId } from '../../../kernel/declare/caller.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { emit } from '../../events/index.ts';
import { requireMail } from './get-mail-text.ts';
import { mailTextChanged } from './text-events.ts';
import { removeOwnText } from './text-store.ts';
import { MailTextSchema, textParams, toMailText } from './text-wire.ts';

export const resetMailText = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/mails/{name}/{language}',
  summary: 'Return to the built-in text of a mail in a language',
  access: 'admin',
  scope: 'manage',
  params: textParams,
  response: MailTextSchema,
  example: { response: { is_own: false, changed: null } },
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { name, language }) {
    const mail = requireMail(site, name);
    if (await removeOwnText(db, name, language)) {
      emit(db, mailTextChanged, {
        objectId: 0,
        userId: actorId(caller),
        info: `Own text of the mail ${name} removed (${language}).`,
        data: { name, language, is_own: false },
        nowMs,
      });
    }
    return toMailText(site, mail, language, undefined);
  },
});
