import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { LocalTime } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { UserRow } from '../users/index.ts';
import { personalData } from './personal-data.ts';

export const PersonSchema = Type.Object(
  {
    date: LocalTime('When the data was read.'),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Everything that is stored about the person, by section.',
    }),
  },
  {
    $id: 'PersonExport',
    examples: [
      {
        date: '2026-02-11T16:20:00',
        data: { account: { id: 7, login: 'maya', email: 'maya@example.com' } },
      },
    ],
  },
);

/** Everything that the active modules store about a person. */
export async function exportPerson(db: Reader, site: Site, user: UserRow) {
  const data: Record<string, unknown> = {};
  for (const { section, read } of site.registry.contributions(personalData)) {
    data[section] = await read(db, site, user);
  }
  return { date: site.calendar.toLocal(site.clock()), data };
}
