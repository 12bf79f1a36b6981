import Type from 'typebox';
import { collection, pageHeaders } from '../../../kernel/cache/collection.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { pageParameters, StringEnum } from '../../../kernel/declare/schemas.ts';
import { offsetOf } from '../../../shared/pagination.ts';
import { containing } from '../../coupons/index.ts';
import { registrationStatuses } from '../tables.ts';
import { countApplications, listApplicationRows } from './application-store.ts';
import { ApplicationSchema, toApplication } from './application-wire.ts';

export const listApplications = operation({
  method: 'GET',
  namespace: 'store',
  path: '/registrations',
  summary: 'Search applications',
  description: 'The applications with what the team has done about them.',
  access: 'admin',
  scope: 'read',
  query: Type.Object({
    status: Type.Optional(
      StringEnum(registrationStatuses, { description: 'Only applications with this status.' }),
    ),
    search: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Part of the login, e-mail address, name, requested code or website.',
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
    const search = containing(input.search?.trim().toLowerCase());
    const filter = { status: input.status, search };
    return collection(input, await countApplications(db, filter), async () => {
      const page = {
        limit: input.per_page,
        offset: offsetOf(input),
        oldest: input.sort === 'date',
      };
      const rows = await listApplicationRows(db, filter, page);
      return rows.map((row) => toApplication(row, site, caller));
    });
  },
});
