import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { invalidParameter, invalidParameters } from '../../../src/kernel/call/parameters.ts';
import { actorId, isAdmin } from '../../../src/kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import {
  alreadyAnonymised,
  lockAffiliate,
  requireNotAnonymised,
} from '../../../src/modules/affiliates/index.ts';
import { emit } from '../../../src/modules/events/index.ts';
import { enqueueMail } from '../../../src/modules/mail/index.ts';
import { recipientOf } from '../../../src/modules/users/index.ts';
import { didYouMean } from '../../../src/shared/nearest.ts';
import { randomBase62 } from '../../../src/shared/secrets.ts';
import type { PayoutMethod } from '../gateways/method.ts';
import { findMethod, methodsOf } from '../gateways/methods.ts';
import { methodName } from '../mails/enqueue-payout-mail.ts';
import { detailsChangedMail } from '../mails/payout-mails.ts';
import { payoutOperation } from '../missing-tables.ts';
import { detailsUpdated } from '../payout/payout-events.ts';
import { methodDisabled } from '../payout/payout-rules.ts';
import { enabledMethods } from '../settings.ts';
import { findDetails, readSavedDetails, saveDetails, type Details } from './details-rows.ts';
import {
  findDestination,
  PayoutDetailsSchema,
  requireOwnDetails,
  toPayoutDetails,
} from './payout-details.ts';

export const setPayoutDetails = payoutOperation({
  method: 'PUT',
  namespace: 'store',
  path: '/affiliates/{id}/payout-details',
  summary: "Set an affiliate's payout details",
  description:
    'The destination is stored encrypted and returned masked. The affiliate gets an email; if the previous ' +
    'destination was an email address, that address gets one too.',
  access: 'owner',
  scope: 'write',
  proof: true,
  params: Type.Object({ id: Id('The affiliate.') }),
  body: Type.Object(
    {
      method_type: Type.String({
        minLength: 1,
        maxLength: 40,
        examples: ['credit'],
        description: 'One of the methods that the setting payouts.methods enables.',
      }),
      details: Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: 50,
        description: 'The fields of the payout method: iban, email, account, …',
      }),
    },
    { $id: 'ChangePayoutDetails' },
  ),
  example: {
    body: {
      method_type: 'banktransfer',
      details: { account_holder: 'Maya Ortiz', iban: 'DE89370400440532013000' },
    },
  },
  response: PayoutDetailsSchema,
  errors: [generalErrors.notFound, generalErrors.forbidden, methodDisabled, alreadyAnonymised],
  async handle({ db, site, caller, nowMs }, input) {
    const { id, method_type, details } = input;
    // Erasing a person takes the same lock, so no details are saved behind it.
    await lockAffiliate(db, id);
    const affiliate = await requireOwnDetails(db, caller, id);
    requireNotAnonymised(affiliate);
    const method = requireMethod(site, method_type, isAdmin(caller));
    requireDetails(method, details);

    await db.lock(`payout details of ${id}`);
    const saved = await findDetails(db, { user_id: id });
    const before = saved && readSavedDetails(site, saved);
    if (saved?.method_type === method.type && isDeepStrictEqual(before, details)) {
      return toPayoutDetails(site, await findDestination(db, site, id));
    }
    await saveDetails(db, site, { userId: id, methodType: method.type, details }, nowMs);
    emit(db, detailsUpdated, {
      objectId: id,
      userId: actorId(caller),
      info: `Payout details of affiliate ${affiliate.id} changed.`,
      data: { user_id: id, method_type: method.type },
      nowMs,
    });
    // An attacker who took over the account can change its address too, so the old destination is notified.
    const addresses = new Set([affiliate.email, before?.['email']]);
    for (const address of addresses) {
      if (typeof address !== 'string') continue;
      enqueueMail(db, site, detailsChangedMail, {
        to: { ...recipientOf(affiliate), address },
        data: (language) => ({
          name: affiliate.display_name,
          method: methodName(language, method.type, method.label),
        }),
        key: `${detailsChangedMail.name}:${id}:${randomBase62(12)}`,
        nowMs,
      });
    }
    return toPayoutDetails(site, { methodType: method.type, details, savedAt: nowMs });
  },
});

function requireMethod(site: Site, type: string, byAdmin: boolean): PayoutMethod {
  const method = findMethod(site, type);
  if (!method) {
    const known = methodsOf(site).map((m) => m.type);
    throw invalidParameter('method_type', `does not exist.${didYouMean(type, known)}`);
  }
  if (!byAdmin && !site.settings.get(enabledMethods).includes(type)) {
    throw new ApiError(methodDisabled);
  }
  return method;
}

/** Names every invalid field, but not its value. */
function requireDetails(method: PayoutMethod, details: Details): void {
  const check = Compile(method.details);
  if (check.Check(details)) return;
  const params: Record<string, string> = {};
  for (const { instancePath, message, params: about } of check.Errors(details)) {
    const names = [
      ...((about as { requiredProperties?: string[] }).requiredProperties ?? []),
      ...((about as { additionalProperties?: string[] }).additionalProperties ?? []),
    ];
    const path = `details${instancePath.replaceAll('/', '.')}`;
    for (const name of names) params[`${path}.${name}`] = message;
    if (names.length === 0) params[path] = message;
  }
  throw invalidParameters(params);
}
