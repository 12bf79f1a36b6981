import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { Id, LocalTime, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { payoutOperation } from '../missing-tables.ts';
import { findChanges } from '../payout/payout-changes-rows.ts';
import { payoutStatuses } from '../payout/payout-status.ts';
import { requireOwnPayout } from './get-payout.ts';

const ChangeSchema = Type.Object(
  {
    status: StringEnum(payoutStatuses, { description: 'The status that the payout got.' }),
    date: LocalTime('When.'),
  },
  {
    $id: 'PayoutChange',
    examples: [
      { status: 'pending', date: '2026-02-02T10:15:00' },
      { status: 'paid', date: '2026-02-03T09:30:00' },
    ],
  },
);

export const listPayoutChanges = payoutOperation({
  method: 'GET',
  namespace: 'store',
  path: '/payouts/{id}/changes',
  summary: 'The statuses that a payout has had, in order',
  description: 'For admins and the affiliate who is paid. The last one is its current status.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The payout.') }),
  response: Type.Array(ChangeSchema),
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id }) {
    await requireOwnPayout(db, caller, id);
    const changes = await findChanges(db, { payout_id: id });
    return changes.map(({ status, changed_at }) => ({
      status,
      date: site.calendar.toLocal(changed_at),
    }));
  },
});
