import type { Transaction } from '../../db/database.ts';
import { actorId, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { createInvitation } from '../accounts/index.ts';
import { enrollUser } from '../affiliates/index.ts';
import { addCoupon, commissionPercent, freeCode, referralUrl } from '../coupons/index.ts';
import { enqueueMail } from '../mail/index.ts';
import { findUser, recipientOf } from '../users/index.ts';
import { webEnabled } from '../web/index.ts';
import {
  registrationAccepted,
  registrationDeclined,
  emitRegistrationEvent,
} from './registration-events.ts';
import { acceptedMail } from './mails/accepted.ts';
import { declinedMail } from './mails/declined.ts';
import { decideRegistration, type RegistrationRow } from './registration-store.ts';
import type { RegistrationStatus } from './tables.ts';
import { codeTemplate } from './settings.ts';

export const alreadyAccepted = defineError(
  'svc_api_already_accepted',
  400,
  'The application has been accepted, which cannot be undone.',
);

export interface Decision {
  message: string;
  sendEmail: boolean;
}

/** A pending application may be accepted or declined, a declined one accepted. */
export function requireTransition(from: string, to: RegistrationStatus): void {
  if (from === to) throw new ApiError(generalErrors.noChange);
  if (from === 'accepted') throw new ApiError(alreadyAccepted);
}

/** Creates the affiliate, the coupon, the events and the mail in one transaction. */
export async function acceptRegistration(
  tx: Transaction,
  site: Site,
  caller: Caller,
  row: RegistrationRow,
  decision: Decision,
  nowMs: number,
): Promise<RegistrationRow> {
  // Two accepted applications must not get the same code. The lock covers the search and the insert.
  await tx.lock('free codes');
  const code = await freeCode(tx, row.coupon_code || codeFrom(site, row.login));
  const accepted = await decide(tx, row, decision, {
    status: 'accepted',
    coupon_code: code,
    accepted_at: nowMs,
  });
  const user = { id: row.user_id };
  await enrollUser(tx, site, caller, user, profileOf(row), nowMs);
  await addCoupon(tx, site, caller, { code, user_id: user.id, rates: {} }, nowMs);
  await emitRegistrationEvent(tx, registrationAccepted, accepted, actorId(caller), nowMs);
  if (decision.sendEmail) {
    const access = await accessFor(tx, site, caller, row, nowMs);
    enqueueMail(tx, site, acceptedMail, {
      to: toApplicant(row, caller),
      data: {
        name: nameFor(row, caller),
        coupon_code: code,
        referral_url: referralUrl(site, code),
        message: accepted.message,
        invited: access.invited,
      },
      ...(access.link !== undefined && { link: access.link }),
      key: `${acceptedMail.name}:${row.id}`,
      nowMs,
    });
  }
  return accepted;
}

/**
 * The link of the mail: an applicant without a password chooses one, others sign in. A site without pages promises
 * neither.
 */
async function accessFor(
  tx: Transaction,
  site: Site,
  caller: Caller,
  { user_id }: RegistrationRow,
  nowMs: number,
): Promise<{ invited: boolean; link?: string }> {
  if (!site.settings.get(webEnabled)) return { invited: false };
  const user = await findUser(tx, user_id);
  if (user?.password_hash != null) {
    return { invited: false, link: `${site.publicUrl}/app/login` };
  }
  const by = { actorId: actorId(caller), nowMs };
  const link = await createInvitation(tx, site, { id: user_id }, by);
  return { invited: true, link };
}

export async function declineRegistration(
  tx: Transaction,
  site: Site,
  caller: Caller,
  row: RegistrationRow,
  decision: Decision,
  nowMs: number,
): Promise<RegistrationRow> {
  const declined = await decide(tx, row, decision, { status: 'declined', declined_at: nowMs });
  await emitRegistrationEvent(tx, registrationDeclined, declined, actorId(caller), nowMs);
  if (decision.sendEmail) {
    enqueueMail(tx, site, declinedMail, {
      to: toApplicant(row, caller),
      data: { name: nameFor(row, caller), message: declined.message },
      key: `${declinedMail.name}:${row.id}`,
      nowMs,
    });
  }
  return declined;
}

async function decide(
  tx: Transaction,
  row: RegistrationRow,
  { message }: Decision,
  change: Partial<RegistrationRow>,
): Promise<RegistrationRow> {
  const decided = { ...row, message, ...change };
  const { id, status, coupon_code, accepted_at, declined_at } = decided;
  const isMine = await decideRegistration(tx, {
    id,
    from: row.status,
    status,
    coupon_code,
    message,
    accepted_at,
    declined_at,
  });
  // Another call has decided since the application was read.
  if (!isMine) throw new ApiError(generalErrors.noChange);
  return decided;
}

function codeFrom(site: Site, login: string): string {
  const values: Record<string, string> = {
    '{login}': login,
    '{percent}': String(site.settings.get(commissionPercent)),
  };
  return site.settings.get(codeTemplate).replaceAll(/\{\w+\}/g, (name) => values[name]!);
}

function profileOf({ website, promote, referrer, custom_fields }: RegistrationRow) {
  return {
    website,
    promote,
    referrer,
    // The schema of an application accepts only text as values.
    custom_fields: JSON.parse(custom_fields) as Record<string, string>,
  };
}

function toApplicant(row: RegistrationRow, caller: Caller) {
  return { ...recipientOf(row), name: nameFor(row, caller) };
}

/** The mail leaves out a name that no admin has reviewed: an applicant can enter any text as name. */
function nameFor(row: RegistrationRow, caller: Caller): string {
  return caller.person ? row.display_name : '';
}
