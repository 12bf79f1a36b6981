import Type from 'typebox';
import { isAdmin, type Caller } from '../../../kernel/declare/caller.ts';
import {
  finalFailures,
  storeFailures,
  type FailureCode,
  type GatewayOutcome,
  type GatewayPreparation,
  type StoreFailure,
} from '../extension.ts';
import { Nullable, StringEnum } from '../../../kernel/declare/schemas.ts';
import type { PayoutRow } from '../payout-store.ts';

/** Why a payment was not made, with the reason in the gateway's words: for administrators. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
}

export type Viewer = 'admin' | 'affiliate';

export function viewerOf(caller: Caller): Viewer {
  return isAdmin(caller) ? 'admin' : 'affiliate';
}

export const FailureReasonSchema = Nullable(
  Type.Object(
    {
      code: StringEnum([...finalFailures, ...storeFailures]),
      message: Type.String({ description: 'A sentence for people.' }),
    },
    {
      description:
        'Why it failed. For admins also what keeps an open payout from being paid at the moment. What ' +
        "concerns the store's credentials or balance is shown to admins only; the affiliate sees `not_paid`.",
    },
  ),
);

const AGAIN = 'then request the payout again.';

/** The sentences for the affiliate: what happened and what to do next. */
const sentences: Record<(typeof finalFailures)[number], string> = {
  account_unknown: `The payment service does not know the account you gave. Please check your payout details, ${AGAIN}`,
  account_closed: `The account you gave is closed or cannot be paid to. Please change your payout details, ${AGAIN}`,
  account_not_ready: `Your account cannot receive payments yet. Please complete its set-up with the payment service, ${AGAIN}`,
  not_supported: `Your account cannot receive this payment because of its country or currency. Please choose another account or another way to be paid, ${AGAIN}`,
  receiver_limit: `Your account has reached its limit for receiving money. Please raise the limit or wait, ${AGAIN}`,
  amount_not_payable:
    'This amount cannot be paid this way. Please choose another way to be paid, or request the payout again once your balance has changed.',
  returned: `The payment came back. Please check your payout details, ${AGAIN}`,
  suspended: 'Your account is suspended. Please contact us.',
  refused: `The payment service refused the payment. Please check your payout details, ${AGAIN} If they are right, please contact us.`,
  not_paid:
    "The payment could not be made. You don't need to change anything: the amount can be requested again.",
};

const finalCodes: ReadonlySet<string> = new Set(finalFailures);
const storeCodes: ReadonlySet<string> = new Set(storeFailures);

export function isStoreFailure(code: string): code is StoreFailure {
  return storeCodes.has(code);
}

/** What a payout's record says about its failure; undefined where this viewer is shown none. */
export function failureReason(
  payout: Pick<PayoutRow, 'status' | 'failure_code' | 'failure_message'>,
  viewer: Viewer,
): Failure | undefined {
  const { status, failure_code: code, failure_message: message } = payout;
  if (viewer === 'admin') {
    // Payouts that failed before reasons were stored have no code.
    if (code === null) return status === 'failed' ? toldAffiliate('not_paid') : undefined;
    return { code: code as FailureCode, message: message ?? toldAffiliate(code).message };
  }
  return status === 'failed' ? toldAffiliate(code ?? 'not_paid') : undefined;
}

function toldAffiliate(code: string): Failure {
  const shown = finalCodes.has(code) ? (code as keyof typeof sentences) : 'not_paid';
  return { code: shown, message: sentences[shown] };
}

const MESSAGE_MAX = 300;

/** Why a call to a gateway did not pay; undefined where it did. A gateway of an extension may say anything. */
export function failureOf(outcome: GatewayOutcome | GatewayPreparation): Failure | undefined {
  if (outcome.status !== 'failed' && outcome.status !== 'unknown') return undefined;
  const { status, code, reason } = outcome;
  const isKnown = code !== undefined && (finalCodes.has(code) || storeCodes.has(code));
  const otherwise = status === 'failed' ? 'refused' : 'unreachable';
  const message = String(reason ?? 'The gateway gave no reason.').slice(0, MESSAGE_MAX);
  return { code: isKnown ? code : otherwise, message };
}
