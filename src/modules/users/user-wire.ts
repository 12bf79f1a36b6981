import Type, { type Static } from 'typebox';
import { isAdmin, type Caller, type Person } from '../../kernel/declare/caller.ts';

export const UserSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the user.' }),
    display_name: Type.String({ description: 'The name as people read it.' }),
    login: Type.Optional(Type.String({ description: 'For admins and the user itself.' })),
    email: Type.Optional(Type.String({ description: 'For admins and the user itself.' })),
  },
  {
    $id: 'User',
    examples: [{ id: 7, display_name: 'Maya Ortiz', login: 'maya', email: 'maya@example.com' }],
  },
);

/** Login and address are shown to admins and to the user itself only. */
export function toUser(person: Person, caller: Caller): Static<typeof UserSchema> {
  const open = isAdmin(caller) || caller.person?.id === person.id;
  return open
    ? { id: person.id, display_name: person.displayName, login: person.login, email: person.email }
    : { id: person.id, display_name: person.displayName };
}
