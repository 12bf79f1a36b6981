import { creating } from '../../src/db/create-tables.ts';
import { defineModule } from '../../src/kernel/declare/module.ts';
import { firstSteps, needs } from '../../src/kernel/declare/overview.ts';
import { contribute } from '../../src/kernel/declare/point.ts';
import { settingEffects } from '../../src/kernel/declare/setting-effect.ts';
import {
  ledgerAudits,
  payoutHolders,
  samePayees,
  takenCommissions,
} from '../../src/modules/ledger/index.ts';
import { mails, notices } from '../../src/modules/mail/index.ts';
import { payoutMinimum, payoutTerms } from '../../src/modules/pages/index.ts';
import { personalData, personErasures } from '../../src/modules/privacy/index.ts';
import { riskChecks } from '../../src/modules/registrations/index.ts';
import { reportSections } from '../../src/modules/reports/index.ts';
import { changePayoutStatus } from './api/change-payout-status.ts';
import { checkPayout } from './api/check-payout.ts';
import { exportPayouts } from './api/export-payouts.ts';
import { getPayoutTimeline } from './api/get-payout-timeline.ts';
import { getPayout } from './api/get-payout.ts';
import { listPayoutChanges } from './api/list-payout-changes.ts';
import { listPayoutEarnings } from './api/list-payout-earnings.ts';
import { listPayouts } from './api/list-payouts.ts';
import { notCreated, requestPayout } from './api/request-payout.ts';
import { requestWithdrawal } from './api/request-withdrawal.ts';
import { correctPayoutWaits } from './correct-waits.ts';
import { getPayoutDetails } from './details/get-payout-details.ts';
import { listPayoutMethods } from './details/list-payout-methods.ts';
import { payoutHoldersOf } from './details/payout-holders.ts';
import { sameDestination } from './details/same-destination.ts';
import { samePayee } from './details/same-payee.ts';
import { setPayoutDetails } from './details/set-payout-details.ts';
import { erasePayoutDetails } from './erase-person.ts';
import {
  createPayoutFile,
  debtorMissing,
  eurOnly,
  notPayable,
} from './files/create-payout-file.ts';
import { debtorSettings } from './files/debtor-settings.ts';
import { fileErased, getPayoutFile } from './files/get-payout-file.ts';
import { listPayoutFiles } from './files/list-payout-files.ts';
import { gatewaySettings } from './gateways/gateway-settings.ts';
import { payoutMails, payoutNotices } from './mails/payout-mails.ts';
import { unavailable } from './missing-tables.ts';
import { followUp } from './payment/follow-up.ts';
import { listUnresolvedPayouts } from './payment/list-unresolved-payouts.ts';
import { resolvePayout } from './payment/resolve-payout.ts';
import { insufficientUnpaid, invalidTransition } from './payout/apply-payout-change.ts';
import { auditPayouts } from './payout/audit-payouts.ts';
import { inReview } from './payout/objections.ts';
import { inProgress } from './payout/open-payouts.ts';
import { payoutEvents } from './payout/payout-events.ts';
import { payoutMetrics } from './payout/payout-metrics.ts';
import { firstMethod, payoutNeeds } from './payout/payout-needs.ts';
import { ruleErrors } from './payout/payout-rules.ts';
import { findTakenCommission } from './payout/taken-commission.ts';
import { payoutsOfPerson } from './personal-data.ts';
import { reportPayouts } from './report-payouts.ts';
import { applyResults } from './results/apply-results.ts';
import { alreadyRetried } from './retry/retry-of.ts';
import { retryPayout } from './retry/retry-payout.ts';
import { batchPayouts } from './review/batch-payouts.ts';
import { dryRunPayouts } from './review/dry-run-payouts.ts';
import { listReviewPayouts } from './review/list-review-payouts.ts';
import { payoutEffects } from './setting-effects.ts';
import { payoutsEndpoints, payoutSettings, payoutTermsOf, threshold } from './settings.ts';
import { tables } from './tables.ts';

const payoutRoutes = [listPayouts, requestPayout, getPayout, changePayoutStatus];

export const payoutsModule = defineModule({
  name: 'payouts',
  summary: 'Payouts and payment gateways',
  addon: true,
  operations: [
    ...payoutRoutes,
    requestWithdrawal,
    checkPayout,
    listReviewPayouts,
    batchPayouts,
    dryRunPayouts,
    retryPayout,
    getPayoutTimeline,
    listPayoutFiles,
    createPayoutFile,
    getPayoutFile,
    applyResults,
    listUnresolvedPayouts,
    resolvePayout,
    listPayoutChanges,
    listPayoutEarnings,
    listPayoutMethods,
    getPayoutDetails,
    setPayoutDetails,
    exportPayouts,
  ],
  switches: [{ setting: payoutsEndpoints, operations: payoutRoutes }],
  events: payoutEvents,
  settings: [...payoutSettings, ...gatewaySettings, ...debtorSettings],
  errors: [
    ...ruleErrors,
    notCreated,
    inProgress,
    alreadyRetried,
    notPayable,
    debtorMissing,
    eurOnly,
    fileErased,
    insufficientUnpaid,
    invalidTransition,
    inReview,
    unavailable,
  ],
  jobs: [followUp],
  metrics: payoutMetrics,
  migrations: [creating('payouts/0001-baseline', tables)],
  correctInstants: correctPayoutWaits,
  contributions: [
    ...payoutEffects.map((effect) => contribute(settingEffects, effect)),
    ...payoutNeeds.map((need) => contribute(needs, need)),
    contribute(firstSteps, firstMethod),
    contribute(payoutTerms, payoutTermsOf),
    contribute(reportSections, reportPayouts),
    contribute(ledgerAudits, auditPayouts),
    contribute(takenCommissions, findTakenCommission),
    contribute(payoutHolders, payoutHoldersOf),
    contribute(samePayees, samePayee),
    contribute(personalData, payoutsOfPerson),
    contribute(personErasures, erasePayoutDetails),
    contribute(riskChecks, sameDestination),
    contribute(payoutMinimum, ({ settings }) => settings.get(threshold)),
    ...payoutMails.map((mail) => contribute(mails, mail)),
    ...payoutNotices.map((notice) => contribute(notices, notice)),
  ],
});
