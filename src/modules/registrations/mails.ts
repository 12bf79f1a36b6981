import Type from 'typebox';
import { defineMail, type Notice } from '../mail/index.ts';

/**
 * Contains nothing that the applicant entered: anyone can trigger this mail to any address, and it
 * must not be usable to send text of their choice.
 */
export const receivedMail = defineMail('registration-received', Type.Object({}), {
  reason: 'application',
  about: 'To an applicant after the application.',
});

/** Its link is the invitation, or the sign-in page for an applicant who has a password. */
export const acceptedMail = defineMail(
  'registration-accepted',
  Type.Object({
    name: Type.String(),
    coupon_code: Type.String(),
    referral_url: Type.String(),
    message: Type.String(),
    invited: Type.Boolean({ description: 'True if the link is for choosing a password.' }),
  }),
  {
    about: 'To an applicant who is accepted, with code, link and invitation.',
    required: ['coupon_code', 'message'],
  },
);

export const declinedMail = defineMail(
  'registration-declined',
  Type.Object({
    name: Type.String(),
    reason: Type.String({
      description: 'The reason in words; empty if the email does not give it.',
    }),
    message: Type.String({ description: 'The message of the team to the applicant.' }),
  }),
  {
    reason: 'application',
    about: 'To an applicant who is declined.',
    required: ['reason', 'message'],
  },
);

/** A message that an admin wrote. The link leads to the page with the status of the application. */
export const messageMail = defineMail(
  'registration-message',
  Type.Object({
    name: Type.String(),
    message: Type.String({ description: 'The message of the team to the applicant.' }),
  }),
  {
    reason: 'application',
    about: 'To an applicant when the team writes a message.',
    required: ['message'],
  },
);

/** Decisions on applications are for managers too. */
export const applicationNotice: Notice = {
  name: 'applications',
  description: 'Applications that wait for a decision.',
  audience: 'team',
};

/** Contains nothing that the applicant entered either: a name can be the address of a page. */
export const toReviewMail = defineMail(
  'registration-to-review',
  Type.Object({ application_id: Type.Integer(), name: Type.String() }),
  {
    notice: applicationNotice,
    reason: 'team',
    about: 'To administrators and managers when an application waits for a decision.',
  },
);
