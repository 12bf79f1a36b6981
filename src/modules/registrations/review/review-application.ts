import Type from 'typebox';
import { generalErrors, requireFound } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { proposedCode } from '../decision.ts';
import { findApplication, listMessages } from './application-rows.ts';
import { ApplicationSchema, toApplication } from './application-wire.ts';
import { MessageSchema, toMessage } from './message-wire.ts';
import { findRisks, RiskNoteSchema } from './risk-notes.ts';

export const reviewApplication = operation({
  method: 'GET',
  namespace: 'store',
  path: '/registrations/{id}/review',
  summary: 'Get an application with risk notes and messages',
  description:
    'The notes compare the application with others: the mailbox, similar addresses, the website, the network it was ' +
    'sent from, payout details, and throw-away email providers. They are hints; nothing is refused because of them.',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The application.') }),
  response: Type.Object(
    {
      application: ApplicationSchema,
      proposed_code: Type.String({
        description:
          'The coupon code to accept it with: the requested one, or one by `registrations.code_template`.',
      }),
      notes: Type.Array(RiskNoteSchema),
      messages: Type.Array(MessageSchema, { description: 'Oldest first.' }),
    },
    { $id: 'ApplicationReview' },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id }) {
    const row = requireFound(await findApplication(db, { id }));
    return {
      application: toApplication(row, site, caller),
      proposed_code: await proposedCode(db, site, row),
      notes: await findRisks(db, site, row),
      messages: (await listMessages(db, { registration_id: id })).map((message) =>
        toMessage(message, site),
      ),
    };
  },
});
