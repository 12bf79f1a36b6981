import Type from 'typebox';
import { generalErrors, requireFound } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, StringEnum } from '../../kernel/declare/schemas.ts';
import {
  acceptRegistration,
  alreadyAccepted,
  declineRegistration,
  requireTransition,
} from './decision.ts';
import { findRegistration } from './registration-rows.ts';
import { RegistrationSchema, toRegistration } from './registration-wire.ts';

export const changeRegistrationStatus = operation({
  method: 'POST',
  namespace: 'v2',
  path: '/registrations/{id}/status',
  summary: 'Accept or decline an application',
  description:
    'Accepting makes the user an affiliate and creates a coupon with the requested code, or with ' +
    'one from the template. If the code is taken, a similar free one is used. Accepting is final; a ' +
    'declined application can be accepted later.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The application.') }),
  body: Type.Object(
    {
      status: StringEnum(['accepted', 'declined'], { description: 'The decision.' }),
      message: Type.String({
        default: '',
        maxLength: 2000,
        description: 'A message to the applicant, included in the email.',
      }),
      send_email: Type.Boolean({
        default: true,
        description: 'Send an email to the applicant.',
      }),
    },
    { $id: 'ChangeRegistrationStatus' },
  ),
  example: { body: { status: 'accepted', message: 'Welcome!' } },
  response: RegistrationSchema,
  errors: [generalErrors.notFound, generalErrors.noChange, alreadyAccepted],
  async handle({ db, site, caller, nowMs }, { id, status, message, send_email }) {
    await db.lock(`registration ${id}`);
    const row = requireFound(await findRegistration(db, id));
    requireTransition(row.status, status);
    const change = status === 'accepted' ? acceptRegistration : declineRegistration;
    const decision = { message, sendEmail: send_email };
    return toRegistration(await change(db, site, caller, row, decision, nowMs), site, caller);
  },
});
