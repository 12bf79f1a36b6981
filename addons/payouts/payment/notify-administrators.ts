import type { Transaction } from '../../../src/db/database.ts';
import { limitedLogOf } from '../../../src/kernel/declare/limited-log.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { enqueueMail } from '../../../src/modules/mail/index.ts';
import { listAdministrators, recipientOf } from '../../../src/modules/users/index.ts';
import { HOUR_MS } from '../../../src/shared/durations.ts';
import { textIn } from '../../../src/shared/texts.ts';
import type { FailureCode } from '../extension.ts';
import { amountFor, enqueuePayoutMail, methodOf } from '../mails/enqueue-payout-mail.ts';
import { gatewayProblemMail, unclearMail } from '../mails/payout-mails.ts';
import { gatewayFailures } from '../payout/payout-metrics.ts';
import type { PayoutRow } from '../payout/payout-rows.ts';
import type { Failure } from './failure-reason.ts';
import '../texts.ts';

/**
 * The failures that an administrator has to remedy. A gateway that is unreachable for a moment needs no action: the
 * follow-up job asks again, and if that does not help, `notifyUnclear` sends a mail.
 */
const remedied = [
  'credentials',
  'not_permitted',
  'balance',
  'account_limited',
  'not_set_up',
] as const satisfies readonly FailureCode[];
type Remedied = (typeof remedied)[number];

/** Reports a gateway call that did not pay: log, metric and mail. */
export async function notifyGatewayFailure(
  tx: Transaction,
  site: Site,
  payout: PayoutRow,
  { code, message }: Failure,
  nowMs: number,
): Promise<void> {
  const { id, method_type: gateway } = payout;
  const cause = remedied.find((one) => one === code);
  if (cause) await mailGatewayFailure(tx, site, payout, { code: cause, message }, nowMs);
  tx.afterCommit(() => {
    gatewayFailures.increment(site, { gateway, reason: code });
    const line = { gateway, reason: code, payout_id: id, detail: message };
    const log = limitedLogOf(site);
    const topic = `gateway ${gateway} ${code}`;
    if (!cause) log.warn(topic, line, 'the gateway did not pay');
    else {
      const remedy = textIn('en', `server.payout.remedy.${cause}`, { gateway: payout.method });
      log.error(topic, line, `the gateway did not pay: ${remedy}`);
    }
  });
}

/** The key limits it to one mail per gateway, cause and hour, for any number of payouts and instances. */
async function mailGatewayFailure(
  tx: Transaction,
  site: Site,
  payout: PayoutRow,
  { code, message }: Failure & { code: Remedied },
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
        remedy: textIn(language, `server.payout.remedy.${code}`, { gateway: payout.method }),
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
