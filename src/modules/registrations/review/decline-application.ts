import Type from 'typebox';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { alreadyAccepted, declineRegistration } from '../decision.ts';
import { findApplication } from './application-rows.ts';
import {
  ApplicationSchema,
  decisionFields,
  declineFields,
  toApplication,
} from './application-wire.ts';
import { lockToDecide } from './lock-to-decide.ts';

export const declineApplication = operation({
  method: 'POST',
  namespace: 'store',
  path: '/registrations/{id}/decline',
  summary: 'Decline an application with a reason',
  description:
    'The reason and the note are stored for the team. With `tell_reason` the email gives the reason too, in the ' +
    'language of the applicant.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The application.') }),
  body: Type.Object({ ...declineFields, ...decisionFields }, { $id: 'DeclineApplication' }),
  example: {
    body: { reason: 'not_a_fit', note: 'Sells a competing brand.', tell_reason: true },
    response: {
      status: 'declined',
      message: '',
      date_accepted: null,
      date_declined: '2026-01-13T09:20:03',
      decline_reason: 'not_a_fit',
      decline_note: 'Sells a competing brand.',
    },
  },
  response: ApplicationSchema,
  errors: [generalErrors.notFound, generalErrors.noChange, alreadyAccepted],
  async handle({ db, site, caller, nowMs }, { id, reason, note, tell_reason, ...more }) {
    const row = await lockToDecide(db, id, 'declined');
    const decline = {
      message: more.message,
      sendEmail: more.send_email,
      ...(reason !== undefined && { reason }),
      note,
      tellReason: tell_reason,
    };
    await declineRegistration(db, site, caller, row, decline, nowMs);
    return toApplication((await findApplication(db, { id }))!, site, caller);
  },
});
