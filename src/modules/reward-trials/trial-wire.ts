import Type, { type Static } from 'typebox';
import type { Reader } from '../../db/database.ts';
import { Id, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { trialStates } from './tables.ts';
import type { TrialResult } from './trial-result.ts';
import { namesOf, type TrialRow } from './trial-rows.ts';

const change = {
  before: Type.Number({ description: 'The commission as it is.' }),
  after: Type.Number({ description: 'The commission as it would be.' }),
};

export const StateOfTrial = StringEnum(trialStates, {
  description: 'It fails if the process that computes it ends.',
});

export const TrialSchema = Type.Object(
  {
    id: Id('The dry run.'),
    state: StateOfTrial,
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'The share that is done.' }),
    totals: Nullable(Type.Object(change, { description: 'Null until it is done.' })),
    affiliates: Type.Array(
      Type.Object({
        user_id: Id('The affiliate.'),
        name: Type.String({ description: 'The name of the affiliate.' }),
        ...change,
      }),
      {
        description:
          'The affiliates whose commission changes, the largest loss first; at most 1,000.',
      },
    ),
    losing: Type.Integer({ minimum: 0, description: 'How many affiliates would get less.' }),
    orders: Type.Array(
      Type.Object({ order_id: Id('The order.'), user_id: Id('The affiliate.'), ...change }),
      { description: 'The ten orders that change most.' },
    ),
  },
  {
    $id: 'RewardTrial',
    examples: [
      {
        id: 3,
        state: 'done',
        progress: 1,
        totals: { before: 1240.5, after: 1310 },
        affiliates: [{ user_id: 7, name: 'Maya Ortiz', before: 240.5, after: 310 }],
        losing: 0,
        orders: [{ order_id: 1042, user_id: 7, before: 12.5, after: 18.75 }],
      },
    ],
  },
);

export async function toTrial(
  db: Reader,
  { currency }: Site,
  { id, state, progress, result }: TrialRow,
): Promise<Static<typeof TrialSchema>> {
  const share = { id, state, progress: progress / 1_000 };
  if (result === null) return { ...share, totals: null, affiliates: [], losing: 0, orders: [] };
  // Only results are stored there.
  const { totals, affiliates, losing, orders } = JSON.parse(result) as TrialResult;
  const names = new Map<number, string>();
  for (const user of await namesOf(
    db,
    affiliates.map(({ user_id }) => user_id),
  )) {
    names.set(user.id, user.display_name || user.login);
  }
  const shown = <T extends { before: number; after: number }>(one: T) => ({
    ...one,
    before: currency.toMajor(one.before),
    after: currency.toMajor(one.after),
  });
  return {
    ...share,
    totals: shown(totals),
    affiliates: affiliates.map((one) => ({ ...shown(one), name: names.get(one.user_id) ?? '' })),
    losing,
    orders: orders.map(shown),
  };
}
