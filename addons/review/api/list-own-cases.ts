import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, pageParameters } from '../../../src/kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import { languageOf } from '../../../src/modules/web/index.ts';
import { countCases, listCaseRows } from '../cases/case-list-rows.ts';
import { OwnCaseSchema, toOwnCase } from './case-wire.ts';

export const listOwnCases = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/cases',
  summary: 'The cases about an affiliate, as the affiliate sees them',
  description:
    'For admins and the affiliate itself. Newest first: cases that hold or have rejected commission, not mere notes.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object(pageParameters),
  response: Type.Array(OwnCaseSchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, request }, { id, ...page }) {
    await requireOwnAffiliate(db, caller, id);
    const filter = { user_id: id, concerning: true };
    return collection(page, await countCases(db, filter), async (slice) => {
      const rows = await listCaseRows(db, filter, 'newest', slice);
      return rows.map((row) => toOwnCase(row, site, languageOf(site, request)));
    });
  },
});
