import { creating } from '../../src/db/create-tables.ts';
import { defineModule } from '../../src/kernel/declare/module.ts';
import { needs, type Need } from '../../src/kernel/declare/overview.ts';
import { contribute } from '../../src/kernel/declare/point.ts';
import { clickOrigins } from '../../src/modules/clicks/index.ts';
import {
  ordersThatStay,
  payoutObjections,
  payoutRecords,
  payoutRequests,
  payoutReturns,
} from '../../src/modules/ledger/index.ts';
import { mails, notices } from '../../src/modules/mail/index.ts';
import {
  ownOrderPolicy,
  referralChecks,
  rejectedReferrals,
  restraints,
} from '../../src/modules/orders/index.ts';
import { personalData, personErasures } from '../../src/modules/privacy/index.ts';
import { applicationOrigins } from '../../src/modules/registrations/index.ts';
import { alreadyAnswered, answerCase } from './api/answer-case.ts';
import { changeReviewRule } from './api/change-rule.ts';
import { decideCase } from './api/decide-case.ts';
import { decideCases } from './api/decide-cases.ts';
import { getAnswerFile } from './api/get-answer-file.ts';
import { getCase } from './api/get-case.ts';
import { listCases } from './api/list-cases.ts';
import { listOwnCases } from './api/list-own-cases.ts';
import { listReviewRules } from './api/list-rules.ts';
import { reopenCase } from './api/reopen-case.ts';
import { tryReviewRule } from './api/try-rule.ts';
import { caseEvents } from './cases/case-events.ts';
import { sumOpenCases } from './cases/case-rows.ts';
import { caseIsDecided, caseIsOpen, undoTooLate } from './cases/decide.ts';
import { keepTrace } from './clicks/keep-trace.ts';
import { checkFirstPayout } from './duplicates/check-first-payout.ts';
import { keepDevice } from './duplicates/same-device.ts';
import { holdNewReferrals } from './hold/hold-new-referrals.ts';
import { holdReturned } from './hold/hold-returned.ts';
import { noteRecorded } from './hold/note-recorded.ts';
import { objectToPayouts } from './hold/object-to-payouts.ts';
import { findRestrained, listHeldOn } from './hold/restraint-rows.ts';
import { readRestraints } from './hold/restraints.ts';
import { recordTraces } from './past/order-traces.ts';
import { casesOfPerson, eraseEvidence } from './privacy.ts';
import { pruneReview } from './prune.ts';
import { remindOfCases } from './remind-of-cases.ts';
import { reviewMails, reviewNotices } from './review-mails.ts';
import { reviewMetrics } from './review-metrics.ts';
import { checkReferrals } from './rules/check-referrals.ts';
import { REVIEW, reviewSettings, rulesNow } from './settings.ts';
import { tables } from './tables.ts';
import { watchPatterns } from './watch-patterns.ts';

const openCases: Need = {
  name: 'cases_open',
  title: 'Cases to decide',
  access: 'admin',
  async read(db) {
    const { count, held } = await sumOpenCases(db);
    return { count, amount: held };
  },
};

const answeredCases: Need = {
  name: 'cases_answered',
  title: 'Cases that an affiliate has answered',
  access: 'admin',
  read: async (db) => ({ count: (await sumOpenCases(db)).answered }),
};

export const reviewModule = defineModule({
  name: REVIEW,
  summary: 'Review: suspicious commission is held, shown and decided',
  addon: true,
  operations: [
    listCases,
    getCase,
    decideCase,
    decideCases,
    reopenCase,
    listOwnCases,
    answerCase,
    getAnswerFile,
    listReviewRules,
    changeReviewRule,
    tryReviewRule,
  ],
  events: caseEvents,
  settings: reviewSettings,
  errors: [caseIsDecided, caseIsOpen, undoTooLate, alreadyAnswered],
  jobs: [remindOfCases, pruneReview, watchPatterns],
  metrics: reviewMetrics,
  migrations: [creating('review/0001-cases', tables)],
  contributions: [
    ...reviewMails.map((mail) => contribute(mails, mail)),
    ...reviewNotices.map((notice) => contribute(notices, notice)),
    contribute(personalData, casesOfPerson),
    contribute(personErasures, eraseEvidence),
    contribute(needs, answeredCases),
    contribute(needs, openCases),
    contribute(applicationOrigins, keepDevice),
    contribute(clickOrigins, keepTrace),
    contribute(restraints, readRestraints),
    contribute(referralChecks, holdNewReferrals),
    contribute(referralChecks, checkReferrals),
    contribute(referralChecks, recordTraces),
    contribute(rejectedReferrals, async (db, orderIds) =>
      (await findRestrained(db, orderIds)).filter(({ restraint }) => restraint === 'rejected'),
    ),
    contribute(ordersThatStay, async (tx, coupon_id) =>
      (await listHeldOn(tx, { coupon_id })).map(({ order_id }) => order_id),
    ),
    contribute(payoutObjections, objectToPayouts),
    contribute(payoutRequests, checkFirstPayout),
    contribute(payoutReturns, holdReturned),
    contribute(payoutRecords, noteRecorded),
    contribute(ownOrderPolicy, {
      rejects: (site) => rulesNow(site).own_order.action === 'reject',
      comparesIds: (site) => rulesNow(site).own_order.action !== 'off',
    }),
  ],
});
