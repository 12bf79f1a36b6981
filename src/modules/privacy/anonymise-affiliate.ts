import Type from 'typebox';
import type { Reader, Transaction } from '../../db/database.ts';
import { invalidParameter } from '../../kernel/call/parameters.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import {
  AffiliateSchema,
  alreadyAnonymised,
  lockAffiliate,
  requireAffiliate,
  requireNotAnonymised,
  toAffiliate,
} from '../affiliates/index.ts';
import { findAccountsOf, lockCoupon, lockOwners } from '../coupons/index.ts';
import { lockBalances } from '../ledger/index.ts';
import { findUser } from '../users/index.ts';
import { erasePerson } from './erase-person.ts';
import { personErasures } from './erasure.ts';

const hasOpenMoney = defineError(
  'svc_api_person_has_open_money',
  409,
  'The affiliate has an unpaid balance, commission that is not earned yet, or an open payout. Settle it first.',
);
const isInTeam = defineError(
  'svc_api_person_in_team',
  409,
  'Administrators and managers cannot be anonymised.',
);

export const anonymiseAffiliate = operation({
  method: 'POST',
  namespace: 'store',
  path: '/affiliates/{id}/anonymise',
  summary: 'Erase the personal data of an affiliate',
  description:
    'Cannot be undone. Name, login, addresses, answers, payout details, emails and everything that gives access are ' +
    'erased; coupons are disabled. Orders, figures and the ledger stay. Refused while money is open. The person ' +
    'gets no email.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  params: Type.Object({ id: Id('The affiliate.') }),
  body: Type.Object(
    { login: Type.String({ minLength: 1, maxLength: 60, description: 'Its login, to confirm.' }) },
    { $id: 'AnonymiseAffiliate' },
  ),
  example: {
    body: { login: 'maya' },
    response: {
      user: {
        id: 7,
        login: 'anonymised-7',
        email: 'anonymised-7@invalid',
        display_name: 'anonymised-7',
      },
      status: 'suspended',
    },
  },
  response: AffiliateSchema,
  errors: [generalErrors.notFound, hasOpenMoney, alreadyAnonymised, isInTeam],
  async handle({ db, site, caller, nowMs }, { id, login }) {
    await lockMoney(db, id);
    await requireAffiliate(db, id);
    const user = (await findUser(db, id))!;
    requireNotAnonymised(user);
    if (user.role === 'administrator' || user.role === 'manager') throw new ApiError(isInTeam);
    if (login !== user.login) throw invalidParameter('login', 'is not the login of the affiliate.');
    await requireNoOpenMoney(db, site, id);

    await erasePerson(db, { site, caller, user, nowMs });
    return toAffiliate(db, site, caller, await requireAffiliate(db, id));
  },
});

/** Until the transaction ends no order is credited to the affiliate, and none of its payouts is opened. */
async function lockMoney(tx: Transaction, id: number): Promise<void> {
  await lockOwners(tx);
  await lockAffiliate(tx, id);
  const couponIds = (await findAccountsOf(tx, id)).map(({ coupon_id }) => coupon_id);
  for (const couponId of couponIds) await lockCoupon(tx, couponId);
  await lockBalances(tx, couponIds);
}

async function requireNoOpenMoney(db: Reader, site: Site, id: number): Promise<void> {
  const open: Record<string, number> = {};
  for (const { openMoney } of site.registry.contributions(personErasures)) {
    Object.assign(open, await openMoney?.(db, site, id));
  }
  if (Object.values(open).every((amount) => amount === 0)) return;
  throw new ApiError(hasOpenMoney, { data: { ...open, currency: site.currency.code } });
}
