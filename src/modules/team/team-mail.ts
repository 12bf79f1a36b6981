import Type from 'typebox';
import { defineMail } from '../mail/index.ts';

export const teamChangedMail = defineMail(
  'team-changed',
  Type.Object({
    name: Type.String(),
    administrator: Type.Boolean(),
    manager: Type.Boolean(),
    disabled: Type.Boolean(),
  }),
  { about: 'To a member of the team whose role was changed.' },
);
