import type { Transaction } from '../../../db/database.ts';
import type { StoreFailure } from '../extension.ts';
import { limitedLogOf } from '../../../kernel/declare/limited-log.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { enqueueMail } from '../../../modules/mail/index.ts';
import { listAdministrators } from '../../../modules/users/index.ts';
import { isStoreFailure, type Failure } from './failure-reason.ts';
import { gatewayProblemMail } from '../payout-mails.ts';
import { gatewayFailures } from '../payout-metrics.ts';
import type { PayoutRow } from '../payout-store.ts';

const HOUR_MS = 60 * 60_000;

/**
 * What an administrator has to do. A gateway that is away for a moment needs nothing: its payouts are
 * asked for again, and the mail about an unclear payout is sent when that goes on.
 */
const remedies: Partial<Record<StoreFailure, (gateway: string) => string>> = {
  credentials: (gateway) =>
    `Check the credentials of ${gateway} in the settings. New ones are used at once.`,
  not_permitted: (gateway) =>
    `The credentials are right, but may not make payouts. Allow it at ${gateway}, or use others.`,
  balance: (gateway) => `Add money to your balance at ${gateway}.`,
  account_limited: (gateway) =>
    `Sign in at ${gateway}: your account there is limited or has to be verified.`,
  not_set_up: (gateway) => `Enter the credentials of ${gateway} in the settings again.`,
};

/** Notifies the administrators of a call to a gateway that did not pay: log, metric and mail. */
export async function reportGatewayFailure(
  tx: Transaction,
  site: Site,
  payout: PayoutRow,
  { code, message }: Failure,
  nowMs: number,
): Promise<void> {
  const { id, method_type: gateway } = payout;
  const remedy = isStoreFailure(code) ? remedies[code] : undefined;
  if (remedy) await mailAdministrators(tx, site, payout, { code, message }, remedy, nowMs);
  tx.afterCommit(() => {
    gatewayFailures.increment(site, { gateway, reason: code });
    const line = { gateway, reason: code, payout_id: id, detail: message };
    const log = limitedLogOf(site);
    const cause = `gateway ${gateway} ${code}`;
    if (remedy) log.error(cause, line, `the gateway did not pay: ${remedy(payout.method)}`);
    else log.warn(cause, line, 'the gateway did not pay');
  });
}

/** One mail per gateway, cause and hour, however many payouts wait and instances run. */
async function mailAdministrators(
  tx: Transaction,
  site: Site,
  payout: PayoutRow,
  { code, message }: Failure,
  remedy: (gateway: string) => string,
  nowMs: number,
): Promise<void> {
  const { currency } = site;
  const hour = Math.floor(nowMs / HOUR_MS);
  for (const { id, email } of await listAdministrators(tx)) {
    enqueueMail(tx, site, gatewayProblemMail, {
      to: { address: email },
      data: {
        gateway: payout.method,
        payout_id: String(payout.id),
        amount: currency.toMajor(payout.amount).toFixed(currency.decimals),
        currency: currency.code,
        name: payout.display_name,
        reason: message,
        remedy: remedy(payout.method),
        failed: payout.status === 'failed' ? 'yes' : '',
      },
      key: `${gatewayProblemMail.name}:${payout.method_type}:${code}:${hour}:${id}`,
      nowMs,
    });
  }
}
