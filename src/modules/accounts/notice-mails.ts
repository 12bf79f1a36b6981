import Type from 'typebox';
import { defineMail } from '../mail/index.ts';

/** Mails that protect an account. They cannot be switched off. */
const Name = Type.Object({ name: Type.String() });

export const passwordChangedMail = defineMail('password-changed', Name, {
  about: 'To a person whose password was changed.',
});

export const addressRequestedMail = defineMail(
  'address-change-requested',
  Type.Object({ name: Type.String(), email: Type.String() }),
  { about: 'To the old address when a person requests a new one.' },
);

export const addressTakenMail = defineMail('address-in-use', Type.Object({}), {
  about: 'To an address that another person wants to use although it has an account.',
});

export const addressConfirmedMail = defineMail(
  'address-confirmed',
  Type.Object({ name: Type.String(), email: Type.String() }),
  { about: 'To the old address after a person has confirmed a new one.' },
);
