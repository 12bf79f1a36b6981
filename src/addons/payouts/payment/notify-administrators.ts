import type { Transaction } from '../../../db/database.ts';
import { limitedLogOf } from '../../../kernel/declare/limited-log.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { enqueueMail } from '../../../modules/mail/index.ts';
import type { Language } from '../../../shared/languages.ts';
import { listAdministrators, recipientOf } from '../../../modules/users/index.ts';
import { gatewayProblemMail } from '../mails/gateway-problem.ts';
import { methodOf } from '../mails/payout-words.ts';
import { unclearMail } from '../mails/unclear.ts';
import { amountFor, enqueuePayoutMail } from '../payout-mails.ts';
import { gatewayFailures } from '../payout-metrics.ts';
import type { PayoutRow } from '../payout-store.ts';
import { isStoreFailure, type Failure } from './failure-reason.ts';
import { remedies } from './remedies.ts';

const HOUR_MS = 60 * 60_000;

/** Reports a gateway call that did not pay: log, metric and mail. */
export async function notifyGatewayFailure(
  tx: Transaction,
  site: Site,
  payout: PayoutRow,
  { code, message }: Failure,
  nowMs: number,
): Promise<void> {
  const { id, method_type: gateway } = payout;
  const remedy = (isStoreFailure(code) ? remedies[code] : undefined)?.(payout.method);
  if (remedy !== undefined) {
    await mailGatewayFailure(tx, site, payout, { code, message, remedy }, nowMs);
  }
  tx.afterCommit(() => {
    gatewayFailures.increment(site, { gateway, reason: code });
    const line = { gateway, reason: code, payout_id: id, detail: message };
    const log = limitedLogOf(site);
    const cause = `gateway ${gateway} ${code}`;
    if (remedy !== undefined) log.error(cause, line, `the gateway did not pay: ${remedy.en}`);
    else log.warn(cause, line, 'the gateway did not pay');
  });
}

/** The key limits it to one mail per gateway, cause and hour, for any number of payouts and instances. */
async function mailGatewayFailure(
  tx: Transaction,
  site: Site,
  payout: PayoutRow,
  { code, message, remedy }: Failure & { remedy: Readonly<Record<Language, string>> },
  nowMs: number,
): Promise<void> {
  const hour = Math.floor(nowMs / HOUR_MS);
  for (const administrator of await listAdministrators(tx)) {
    enqueueMail(tx, site, gatewayProblemMail, {
      to: recipientOf(administrator),
      data: (language) => ({
        gateway: methodOf(payout, language),
        payout_id: String(payout.id),
        ...amountFor(site, language, payout),
        name: payout.display_name,
        reason: message,
        remedy: remedy[language],
        failed: payout.status === 'failed' ? 'yes' : '',
      }),
      key: `${gatewayProblemMail.name}:${payout.method_type}:${code}:${hour}:${administrator.id}`,
      nowMs,
    });
  }
}

/** Reports a payout whose outcome only an administrator can find out: log and mail. */
export async function notifyUnclear(
  tx: Transaction,
  site: Site,
  payout: PayoutRow,
  nowMs: number,
): Promise<void> {
  const { id, method_type, pay_attempts, unclear_reason } = payout;
  const reason = () => unclear_reason ?? '';
  const administrators = await listAdministrators(tx);
  enqueuePayoutMail(tx, site, unclearMail, payout, administrators, { reason, nowMs });
  tx.afterCommit(() =>
    site.log.error(
      { payout_id: id, gateway: method_type, attempts: pay_attempts, reason: unclear_reason },
      'it is unknown whether a payout was paid: look it up at the gateway, then resolve it ' +
        `(POST /svc/store/v1/payouts/${id}/resolve)`,
    ),
  );
}
