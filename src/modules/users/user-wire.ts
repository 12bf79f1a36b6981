import Type, { type Static } from 'typebox';
import { isAdmin, type Caller, type Person } from '../../kernel/caller.ts';

export const UserSchema = Type.Object(
  {
    id: Type.Integer(),
    display_name: Type.String(),
    login: Type.Optional(Type.String({ description: 'For admins and the user itself.' })),
    email: Type.Optional(Type.String({ description: 'For admins and the user itself.' })),
  },
  { $id: 'User' },
);

/** Login and address are shown to admins and to the user itself only. */
export function toUser(person: Person, caller: Caller): Static<typeof UserSchema> {
  const open = isAdmin(caller) || caller.person?.id === person.id;
  return open
    ? { id: person.id, display_name: person.displayName, login: person.login, email: person.email }
    : { id: person.id, display_name: person.displayName };
}
