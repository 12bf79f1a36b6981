import Type, { type Static } from 'typebox';
import { roles, type Person } from '../../kernel/declare/caller.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import { UserSchema } from '../users/index.ts';

export const SessionSchema = Type.Object({
  user: UserSchema,
  role: StringEnum(roles),
  csrf_token: Type.String({ description: 'To be sent as X-Svc-CSRF with every change.' }),
});

export function toSession(person: Person, csrfToken: string): Static<typeof SessionSchema> {
  return {
    user: {
      id: person.id,
      display_name: person.displayName,
      login: person.login,
      email: person.email,
    },
    role: person.role,
    csrf_token: csrfToken,
  };
}
