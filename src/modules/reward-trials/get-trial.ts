import Type from 'typebox';
import { generalErrors, requireFound } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { endTrial, findTrial } from './trial-rows.ts';
import { toTrial, TrialSchema } from './trial-wire.ts';

const params = Type.Object({ id: Id('The dry run.') });

export const getTrial = operation({
  method: 'GET',
  namespace: 'store',
  path: '/rewards/dry-run/{id}',
  summary: 'Get the result of a dry run of rewards',
  access: 'admin',
  scope: 'manage',
  params,
  response: TrialSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site }, { id }) {
    const row = requireFound(await findTrial(db, { id }));
    return toTrial(db, site, row);
  },
});

export const cancelTrial = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/rewards/dry-run/{id}',
  summary: 'Cancel a dry run of rewards',
  description: 'One that has ended stays as it is.',
  access: 'plugin-admin',
  scope: 'manage',
  params,
  response: TrialSchema,
  example: {
    response: { state: 'cancelled', progress: 0.4, totals: null, affiliates: [], orders: [] },
  },
  errors: [generalErrors.notFound],
  async handle({ db, site }, { id }) {
    await endTrial(db, { id, state: 'cancelled', result: null });
    const row = requireFound(await findTrial(db, { id }));
    return toTrial(db, site, row);
  },
});
