import Type from 'typebox';
import { isAdmin } from '../../../src/kernel/declare/caller.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { payoutOperation } from '../missing-tables.ts';
import {
  findDestination,
  PayoutDetailsSchema,
  requireOwnDetails,
  toPayoutDetails,
} from './payout-details.ts';
import { recordReveals } from './record-reveals.ts';

export const getPayoutDetails = payoutOperation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/payout-details',
  summary: "Get an affiliate's payout details",
  description:
    'For admins and the affiliate itself. The destination is masked. With `reveal=true` an admin who may edit ' +
    'the affiliate gets it unmasked, to pay by hand, and the event `payout_details.revealed` records who did; a ' +
    'session needs a recent proof. ' +
    'The affiliate itself always gets it masked.',
  access: 'owner',
  scope: 'write',
  proof: ({ reveal }, _site, caller) => reveal && isAdmin(caller),
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object({
    payout_id: Type.Optional(
      Id('Return the destination of this payout, as saved when the payout was requested.'),
    ),
    reveal: Type.Boolean({
      default: false,
      description: 'Unmasked, for admins. Requires the manage scope.',
    }),
  }),
  refresh: { parameter: 'reveal', scope: 'manage' },
  response: PayoutDetailsSchema,
  errors: [generalErrors.notFound, generalErrors.forbidden],
  async handle({ db, site, caller, nowMs }, { id, payout_id, reveal }) {
    const affiliate = await requireOwnDetails(db, caller, id);
    if (!reveal || !isAdmin(caller)) {
      return toPayoutDetails(site, await findDestination(db, site, id, payout_id));
    }
    // Committed before the response, so nothing is revealed without a record of it.
    return site.database.transaction(async (tx) => {
      const destination = await findDestination(tx, site, id, payout_id);
      if (!destination) return toPayoutDetails(site, undefined);
      const { methodType: method_type, details, savedAt } = destination;
      const shown = { ...affiliate, user_id: id, method_type, payout_id: payout_id ?? null };
      recordReveals(tx, site, caller, [shown], { nowMs });
      const date_saved = site.calendar.toLocal(savedAt);
      return { ...toPayoutDetails(site, destination), date_saved, details };
    });
  },
});
