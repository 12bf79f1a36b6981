import type { Kysely } from 'kysely';
import type { Reader } from '../../../src/db/database.ts';
import { readByNumbers } from '../../../src/db/statements/calls.ts';
import { insertRows } from '../../../src/db/statements/rows-query.ts';
import type { RowOf, Tables } from '../../../src/db/tables.ts';
import type { applicationOrigins } from '../../../src/modules/registrations/index.ts';
import { widerNetworkOf } from '../../../src/shared/network.ts';

const insert = insertRows<RowOf<'review_devices'>>('review_devices', {
  on: ['user_id', 'device_hash', 'network_hash'],
});

/** Only equality matters, so neither the cookie nor the network is stored. */
export const keepDevice: (typeof applicationOrigins)['contributed'] = async (
  tx,
  { keyring },
  { userId, network, device },
  nowMs,
) => {
  const row = {
    user_id: userId,
    device_hash: keyring.hash('applicant device', device),
    network_hash: keyring.hash('applicant network', widerNetworkOf(network)),
    recorded_at: nowMs,
  };
  await tx.runMany(insert, [row]);
};

/** Affiliates who applied with the same browser in the same network. Each is one step in an index. */
export function sharingDevice(db: Kysely<Tables>) {
  return db
    .selectFrom('review_devices as own')
    .innerJoin('review_devices as other', (join) =>
      join
        .onRef('other.device_hash', '=', 'own.device_hash')
        .onRef('other.network_hash', '=', 'own.network_hash'),
    )
    .innerJoin('affiliates', 'affiliates.user_id', 'other.user_id')
    .whereRef('other.user_id', '<>', 'own.user_id');
}

const pairs = readByNumbers<{ user_id: number }>((db, isKey) =>
  sharingDevice(db).select('own.user_id').where(isKey('own.user_id')),
);

/** Those of some affiliates who applied with the same browser in the same network as another one. */
export async function listSameDevice(db: Reader, userIds: readonly number[]): Promise<number[]> {
  return (await pairs(db, userIds)).map(({ user_id }) => user_id);
}
