import Type from 'typebox';
import { jsonList } from '../../db/statements/rows-query.ts';
import { collection, pageHeaders } from '../../kernel/cache/collection.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { pageParameters, StringEnum } from '../../kernel/declare/schemas.ts';
import { countMails, listMailRows } from './outbox-rows.ts';
import { MailSchema, toMail } from './outbox-wire.ts';
import { unreadableAddresses } from './readable-mails.ts';
import { mailStates } from './tables.ts';

export const listOutbox = operation({
  method: 'GET',
  namespace: 'store',
  path: '/outbox',
  summary: 'List emails in the outbox',
  description:
    'Lists sent and unsent emails, newest first. Sent emails are removed after 30 days. Managers do not see emails to ' +
    'administrators.',
  access: 'admin',
  scope: 'manage',
  query: Type.Object({
    state: Type.Optional(StringEnum(mailStates, { description: 'Only emails in this state.' })),
    template: Type.Optional(
      Type.String({ maxLength: 80, description: 'Only emails of this name, see `GET /mails`.' }),
    ),
    to: Type.Optional(
      Type.String({ maxLength: 254, description: 'Only emails to exactly this address.' }),
    ),
    ...pageParameters,
  }),
  response: Type.Array(MailSchema),
  headers: pageHeaders,
  async handle({ db, site, caller }, input) {
    const unreadable = await unreadableAddresses(db, caller);
    const filter = {
      state: input.state,
      template: input.template,
      to: input.to?.trim(),
      except: unreadable.length > 0 ? jsonList(unreadable) : undefined,
    };
    return collection(input, await countMails(db, filter), async (slice) =>
      (await listMailRows(db, filter, slice)).map((row) => toMail(row, site)),
    );
  },
});
