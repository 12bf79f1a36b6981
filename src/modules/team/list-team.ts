import Type from 'typebox';
import { collection, pageHeaders } from '../../kernel/cache/collection.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { pageParameters } from '../../kernel/declare/schemas.ts';
import { isMember } from './member.ts';
import { countMembers, listMemberRows } from './team-rows.ts';
import { MemberSchema, toMembers } from './team-wire.ts';

export const listTeam = operation({
  method: 'GET',
  namespace: 'store',
  path: '/team',
  summary: 'List administrators and managers',
  access: 'plugin-admin',
  scope: 'manage',
  query: Type.Object(pageParameters),
  response: Type.Array(MemberSchema),
  headers: pageHeaders,
  async handle({ db, site }, input) {
    return collection(input, await countMembers(db, {}), async (slice) => {
      const rows = await listMemberRows(db, {}, slice);
      return toMembers(db, site, rows.filter(isMember));
    });
  },
});
