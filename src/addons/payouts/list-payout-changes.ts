import Type, { type Static } from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, LocalTime, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import { requireOwnPayout } from './get-payout.ts';
import { unavailable, withStorage } from './missing-tables.ts';
import { findChanges } from './payout-changes-store.ts';
import { payoutStatuses } from './payout-status.ts';

const ChangeSchema = Type.Object(
  {
    status: StringEnum(payoutStatuses, { description: 'The status that the payout got.' }),
    date: Nullable(LocalTime('When; null if an earlier version did not record it.')),
  },
  {
    $id: 'PayoutChange',
    examples: [
      { status: 'pending', date: '2026-02-02T10:15:00' },
      { status: 'paid', date: '2026-02-03T09:30:00' },
    ],
  },
);

type Change = Static<typeof ChangeSchema>;

export const listPayoutChanges = operation({
  method: 'GET',
  namespace: 'store',
  path: '/payouts/{id}/changes',
  summary: 'The statuses that a payout has had, in order',
  description: 'For admins and the affiliate who is paid. The last one is its current status.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The payout.') }),
  response: Type.Array(ChangeSchema),
  errors: [generalErrors.notFound, unavailable],
  handle: withStorage(async ({ db, site, caller }, { id }: { id: number }) => {
    const { status, requested_at, paid_at } = await requireOwnPayout(db, caller, id);
    const found = await findChanges(db, id);
    const changes: Change[] = found.map((change) => ({
      status: change.status,
      date: site.calendar.toLocal(change.changed_at),
    }));
    // The first change of a payout has the time of its request, unless an earlier version stored the payout.
    if (found[0]?.changed_at !== requested_at) {
      changes.unshift({ status: 'pending', date: site.calendar.toLocal(requested_at) });
    }
    if (changes.at(-1)!.status !== status) {
      changes.push({ status, date: site.calendar.toLocal(paid_at) });
    }
    return changes;
  }),
});
