import Type from 'typebox';
import { defineMail } from '../mail/index.ts';

const Name = Type.Object({ name: Type.String() });

export const invitationMail = defineMail(
  'account-invitation',
  Type.Object({ name: Type.String(), login: Type.String() }),
  { about: 'To a new affiliate or member of the team, with the link to choose a password.' },
);

export const resetMail = defineMail('password-reset', Name, {
  about: 'To a person who has forgotten the password, with the link to choose a new one.',
});

export const signInMail = defineMail('sign-in-link', Name, {
  about: 'To a person who asked to sign in by email, with the link.',
});

/** Contains nothing that the user entered: anyone with an account can send this mail to any address. */
export const confirmAddressMail = defineMail('address-confirmation', Type.Object({}), {
  about: 'To a new email address, with the link to confirm it.',
});
