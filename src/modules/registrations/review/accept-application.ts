import Type from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { invalidParameter } from '../../../kernel/call/parameters.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { CouponCode } from '../../coupons/index.ts';
import { findGroupByName, GroupName } from '../../groups/index.ts';
import { acceptRegistration, alreadyAccepted } from '../decision.ts';
import { findApplication } from './application-rows.ts';
import { ApplicationSchema, decisionFields, Percent, toApplication } from './application-wire.ts';
import { lockToDecide } from './lock-to-decide.ts';

export const acceptApplication = operation({
  method: 'POST',
  namespace: 'store',
  path: '/registrations/{id}/accept',
  summary: 'Accept an application with a rate, a code and a group',
  description:
    'Creates the affiliate, the coupon and the email in one transaction, like `POST /registrations/{id}/status`. ' +
    'A given code that is taken is refused, and the answer names a free one.',
  access: 'admin',
  scope: 'write',
  proof: ({ percent, group }) => percent !== undefined || group !== undefined,
  params: Type.Object({ id: Id('The application.') }),
  body: Type.Object(
    {
      percent: Type.Optional(Percent),
      coupon_code: Type.Optional(CouponCode),
      group: Type.Optional(GroupName),
      ...decisionFields,
    },
    { $id: 'AcceptApplication' },
  ),
  example: { body: { percent: 12, coupon_code: 'MAYA10', group: 'Gold', message: 'Welcome!' } },
  response: ApplicationSchema,
  errors: [generalErrors.notFound, generalErrors.noChange, alreadyAccepted],
  async handle({ db, site, caller, nowMs }, { id, percent, coupon_code, group, ...more }) {
    const row = await lockToDecide(db, id, 'accepted');
    const terms = {
      ...(percent !== undefined && { percent }),
      ...(coupon_code !== undefined && { couponCode: coupon_code }),
      ...(group !== undefined && { group: await requireGroup(db, group) }),
    };
    const decision = { message: more.message, sendEmail: more.send_email };
    await acceptRegistration(db, site, caller, row, decision, nowMs, terms);
    return toApplication((await findApplication(db, { id }))!, site, caller);
  },
});

export async function requireGroup(db: Reader, name: string): Promise<{ id: number }> {
  const group = await findGroupByName(db, name);
  if (!group) throw invalidParameter('group', `There is no group named ${name}.`);
  return { id: group.id };
}
