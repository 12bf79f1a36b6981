import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { addReadySeries } from '../series/ready-series.ts';

export const addReadySeriesOperation = operation({
  method: 'POST',
  namespace: 'store',
  path: '/series/ready',
  summary: 'Add the ready series of emails',
  description:
    'Three, with texts in every language, and off: for new affiliates, after the first order, and after 60 days ' +
    'without one. A series with the start of an existing one is left out.',
  access: 'admin',
  scope: 'write',
  status: 201,
  response: Type.Object(
    { added: Type.Array(Type.Integer(), { description: 'The ids of the new series.' }) },
    { $id: 'ReadySeries', examples: [{ added: [1, 2, 3] }] },
  ),
  async handle({ db, site, caller, nowMs }) {
    return { added: await addReadySeries(db, site, { actorId: actorId(caller), nowMs }) };
  },
});
