import type { Reader, Transaction } from '../../db/database.ts';
import { invalidParameter } from '../../kernel/call/parameters.ts';
import { actorId, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { randomText } from '../../shared/secrets.ts';
import { textIn } from '../../shared/texts.ts';
import { createInvitation } from '../accounts/index.ts';
import { enrollUser, joinGroup } from '../affiliates/index.ts';
import { addCoupon, commissionPercent, freeCode, referralUrl } from '../coupons/index.ts';
import { enqueueMail } from '../mail/index.ts';
import { webEnabled } from '../store-profile/index.ts';
import { findUser, markRosterDue, recipientOf } from '../users/index.ts';
import { acceptedMail, declinedMail } from './mails.ts';
import {
  registrationAccepted,
  registrationDeclined,
  emitRegistrationEvent,
} from './registration-events.ts';
import { decideRegistration, type RegistrationRow } from './registration-rows.ts';
import { codeTemplate } from './settings.ts';
import type { DeclineReason, RegistrationStatus } from './tables.ts';

export const alreadyAccepted = defineError(
  'svc_api_already_accepted',
  400,
  'The application has been accepted, which cannot be undone.',
);

export interface Decision {
  /** For the applicant, in the mail and on the page with the status. */
  message: string;
  sendEmail: boolean;
}

/** What the new affiliate gets instead of the defaults of the site. */
export interface AcceptanceTerms {
  /** Percent of the base. */
  readonly percent?: number;
  /** Refused if a coupon has it. Default: the requested code, or a similar one that is free. */
  readonly couponCode?: string;
  readonly group?: { readonly id: number };
}

export interface Decline extends Decision {
  readonly reason?: DeclineReason;
  /** For the team only. */
  readonly note?: string;
  /** Whether the mail gives the reason, in the language of the applicant. */
  readonly tellReason?: boolean;
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
  { percent, couponCode, group }: AcceptanceTerms = {},
): Promise<RegistrationRow> {
  // Two accepted applications must not get the same code. The lock covers the search and the insert.
  await tx.lock('free codes');
  const code = await freeCode(tx, couponCode ?? wantedCode(site, row));
  if (couponCode !== undefined && code !== couponCode) {
    throw invalidParameter('coupon_code', `is taken; ${code} is free`);
  }
  const accepted = await decide(tx, row, decision, {
    status: 'accepted',
    coupon_code: code,
    accepted_at: nowMs,
    decided_by: caller.person?.id ?? null,
  });
  const user = { id: row.user_id };
  // Applications are found by their code, too.
  await markRosterDue(tx, { id: user.id });
  await enrollUser(tx, site, caller, user, profileOf(row), nowMs);
  if (group) await joinGroup(tx, user.id, group);
  const rates = percent === undefined ? {} : { percent: String(percent) };
  await addCoupon(tx, site, caller, { code, user_id: user.id, rates }, nowMs);
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
  if (user && user.password_hash !== null) {
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
  decision: Decline,
  nowMs: number,
): Promise<RegistrationRow> {
  const { reason, note = '', tellReason = false } = decision;
  const declined = await decide(tx, row, decision, {
    status: 'declined',
    declined_at: nowMs,
    decline_reason: reason ?? '',
    decline_note: note,
    decided_by: caller.person?.id ?? null,
  });
  await emitRegistrationEvent(tx, registrationDeclined, declined, actorId(caller), nowMs);
  if (decision.sendEmail) {
    enqueueMail(tx, site, declinedMail, {
      to: toApplicant(row, caller),
      data: (language) => ({
        name: nameFor(row, caller),
        message: declined.message,
        reason: reason && tellReason ? textIn(language, `server.decline.${reason}.sentence`) : '',
      }),
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
  const isMine = await decideRegistration(tx, {
    id: row.id,
    from: row.status,
    status: decided.status,
    coupon_code: decided.coupon_code,
    message,
    accepted_at: decided.accepted_at,
    declined_at: decided.declined_at,
    decline_reason: decided.decline_reason,
    decline_note: decided.decline_note,
    decided_by: decided.decided_by,
  });
  // Another call has decided since the application was read.
  if (!isMine) throw new ApiError(generalErrors.noChange);
  return decided;
}

/** Without signs that look alike, and without vowels, which form words. */
const READABLE = '23456789BCDFGHJKLMNPQRSTVWXZ';
const RANDOM_LENGTH = 8;

/** The code that the affiliate would get, unless the team chooses another. */
export function proposedCode(db: Reader, site: Site, row: RegistrationRow): Promise<string> {
  return freeCode(db, wantedCode(site, row));
}

const wantedCode = (site: Site, { coupon_code, login }: RegistrationRow) =>
  coupon_code || codeFrom(site, login);

function codeFrom(site: Site, login: string): string {
  const values: Record<string, string> = {
    '{random}': randomText(RANDOM_LENGTH, READABLE),
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

export function toApplicant(row: RegistrationRow, caller: Caller) {
  return { ...recipientOf(row), name: nameFor(row, caller) };
}

/** The mail leaves out a name that no admin has reviewed: an applicant can enter any text as name. */
function nameFor(row: RegistrationRow, caller: Caller): string {
  return caller.person ? row.display_name : '';
}
