import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { LocalTime } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { UserRow } from '../users/index.ts';
import { personalData } from './personal-data.ts';

const example = {
  date: '2026-02-11T16:20:00',
  data: { account: { id: 7, login: 'maya', email: 'maya@example.com' } },
};

const fields = {
  date: LocalTime('When the data was read.'),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Everything that is stored about the person, by section.',
  }),
};

export const PersonSchema = Type.Object(fields, { $id: 'PersonExport', examples: [example] });

export const ReviewedPersonSchema = Type.Object(
  {
    ...fields,
    review: Type.Array(Type.String(), {
      description:
        'Sections with remarks of the team that are not empty. Read them before you hand them out: they may be about ' +
        'other people. The export that the person itself makes does not contain them.',
    }),
  },
  { $id: 'PersonExportForReview', examples: [{ ...example, review: ['notes'] }] },
);

/** Everything that the active modules store about a person, without the remarks of the team. */
export async function exportPerson(db: Reader, site: Site, user: UserRow) {
  const { date, data } = await exportForReview(db, site, user);
  const own = site.registry.contributions(personalData).filter(({ teamOnly }) => !teamOnly);
  return { date, data: Object.fromEntries(own.map(({ section }) => [section, data[section]])) };
}

/** With the remarks of the team, and the names of the sections that hold some. */
export async function exportForReview(db: Reader, site: Site, user: UserRow) {
  const data: Record<string, unknown> = {};
  const review: string[] = [];
  for (const { section, teamOnly, read } of site.registry.contributions(personalData)) {
    const content = await read(db, site, user);
    data[section] = content;
    const isEmpty = Array.isArray(content) && content.length === 0;
    if (teamOnly && !isEmpty) review.push(section);
  }
  return { date: site.calendar.toLocal(site.clock()), data, review };
}
