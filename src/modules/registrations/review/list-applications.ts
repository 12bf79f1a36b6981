import Type from 'typebox';
import { termsIn } from '../../../db/lists/search.ts';
import { collection, pageHeaders } from '../../../kernel/cache/collection.ts';
import { operation, whenSearched } from '../../../kernel/declare/operation.ts';
import { pageParameters, StringEnum } from '../../../kernel/declare/schemas.ts';
import { refreshForRead } from '../../affiliates/index.ts';
import { registrationStatuses } from '../tables.ts';
import { countApplications, listApplicationRows } from './application-rows.ts';
import { ApplicationSchema, toApplication } from './application-wire.ts';

export const listApplications = operation({
  method: 'GET',
  namespace: 'store',
  path: '/registrations',
  summary: 'Search applications',
  description: 'The applications with what the team has done about them.',
  access: 'admin',
  scope: 'read',
  long: whenSearched,
  query: Type.Object({
    status: Type.Optional(
      StringEnum(registrationStatuses, { description: 'Only applications with this status.' }),
    ),
    search: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Beginnings of words of the login, email address, name, code or website, in any case. The first three count.',
      }),
    ),
    sort: StringEnum(['-date', 'date'], {
      default: '-date',
      description: '`-date`: newest first; `date`: oldest first.',
    }),
    ...pageParameters,
  }),
  response: Type.Array(ApplicationSchema),
  headers: pageHeaders,
  async handle({ db, site, caller }, input) {
    if (input.search !== undefined) await refreshForRead(db, site);
    const filter = { status: input.status, ...termsIn(input.search) };
    const total = await countApplications(db, filter);
    return collection(input, total, async (slice) => {
      const rows = await listApplicationRows(db, filter, { ...slice, sort: input.sort, total });
      return rows.map((row) => toApplication(row, site, caller));
    });
  },
});
