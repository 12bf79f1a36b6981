import Type from 'typebox';
import { isAdmin } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { proofRequired, requireProof } from '../../../modules/sessions/index.ts';
import {
  findDestination,
  PayoutDetailsSchema,
  requireOwnDetails,
  toPayoutDetails,
} from './payout-details.ts';
import { revealDetails } from './reveal-details.ts';
import { payoutOperation } from '../missing-tables.ts';

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
  errors: [generalErrors.notFound, generalErrors.forbidden, proofRequired],
  async handle({ db, site, caller, nowMs }, input) {
    const { id, payout_id, reveal } = input;
    const affiliate = await requireOwnDetails(db, caller, id);
    if (reveal && isAdmin(caller)) {
      requireProof(caller, nowMs);
      return revealDetails(site, caller, affiliate, payout_id, nowMs);
    }
    const destination = await findDestination(db, site, id, payout_id);
    if (!destination && payout_id !== undefined) throw new ApiError(generalErrors.notFound);
    return toPayoutDetails(site, destination);
  },
});
