import Type from 'typebox';
import { isAdmin, type Caller } from '../../../src/kernel/declare/caller.ts';
import { Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Language } from '../../../src/shared/languages.ts';
import { textIn } from '../../../src/shared/texts.ts';
import {
  finalFailures,
  storeFailures,
  type FailureCode,
  type GatewayOutcome,
  type GatewayPreparation,
  type StoreFailure,
} from '../extension.ts';
import type { PayoutRow } from '../payout/payout-rows.ts';
import '../texts.ts';

/** Why a payment was not made. The message is the gateway's and for administrators only. */
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
      message: Type.String({ description: 'The reason as a sentence.' }),
    },
    {
      description:
        'Why the payout failed. For admins also why an open payout cannot be paid at the moment. Only admins ' +
        "see reasons that concern the store's credentials or balance; the affiliate sees `not_paid`.",
    },
  ),
);

const finalCodes: ReadonlySet<string> = new Set(finalFailures);
const storeCodes: ReadonlySet<string> = new Set(storeFailures);

export function isStoreFailure(code: string): code is StoreFailure {
  return storeCodes.has(code);
}

/** The failure that a viewer sees on a payout; undefined if there is none to see. */
export function failureReason(
  payout: Pick<PayoutRow, 'status' | 'failure_code' | 'failure_message'>,
  viewer: Viewer,
): Failure | undefined {
  const { status, failure_code: code, failure_message: message } = payout;
  if (viewer === 'admin') {
    // A payout may fail without a code.
    if (code === null) return status === 'failed' ? forAffiliate('not_paid') : undefined;
    return { code, message: message ?? forAffiliate(code).message };
  }
  return status === 'failed' ? forAffiliate(code ?? 'not_paid') : undefined;
}

/** The sentence that the affiliate reads in a mail; empty if the payout has not failed. */
export function failureText(
  { status, failure_code: code }: Pick<PayoutRow, 'status' | 'failure_code'>,
  language: Language,
): string {
  return status === 'failed'
    ? textIn(language, `server.payout.failure.${shownCode(code ?? 'not_paid')}`)
    : '';
}

function forAffiliate(code: FailureCode): Failure {
  const shown = shownCode(code);
  return { code: shown, message: textIn('en', `server.payout.failure.${shown}`) };
}

/** Affiliates do not see reasons on the store's side. */
function shownCode(code: FailureCode): Exclude<FailureCode, StoreFailure> {
  return isStoreFailure(code) ? 'not_paid' : code;
}

const MESSAGE_MAX = 300;

/**
 * Why a gateway call did not pay; undefined if it did. The code is checked because an extension's gateway may return
 * anything.
 */
export function failureOf(outcome: GatewayOutcome | GatewayPreparation): Failure | undefined {
  if (outcome.status !== 'failed' && outcome.status !== 'unknown') return undefined;
  const { status, code, reason } = outcome;
  const isKnown = code !== undefined && (finalCodes.has(code) || storeCodes.has(code));
  const otherwise = status === 'failed' ? 'refused' : 'unreachable';
  const message = String(reason ?? 'The gateway gave no reason.').slice(0, MESSAGE_MAX);
  return { code: isKnown ? code : otherwise, message };
}
