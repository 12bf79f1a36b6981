import type { AddonFacts } from '../../../test/support/addon-facts.ts';

const FIGURE = 'a sum of rows that are exported, or about the working of the service';
const SECRET = 'a secret';

const reasons = (reason: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, reason]));

export const facts: AddonFacts = {
  personalColumns: {
    payout_calls:
      'the talk with a gateway about a payout, which may concern the account of the store',
    payout_changes: {
      payout_id: 'payouts.payouts.id',
      status: 'payouts.payouts.changes.status',
      changed_at: 'payouts.payouts.changes.date',
      ...reasons(FIGURE, ['id', 'mail', 'occasion']),
    },
    payout_days: FIGURE,
    payout_details: {
      user_id: 'account.id',
      method_type: 'payouts.details.method_type',
      details: 'payouts.details.masked',
      updated_at: 'payouts.details.date_saved',
      destination_hash: SECRET,
    },
    payout_file_items: 'which file for a bank has a payout that is exported',
    payout_files: 'encrypted files for a bank, with destinations of several people',
    payouts: {
      id: 'payouts.payouts.id',
      coupon_id: 'payouts.payouts.coupon_id',
      user_id: 'account.id',
      amount: 'payouts.payouts.amount',
      method_type: 'payouts.payouts.method_type',
      method: 'payouts.payouts.method',
      status: 'payouts.payouts.status',
      details: 'the destination as it was then, encrypted; the current one is exported, masked',
      transaction_id: 'payouts.payouts.transaction_id',
      requested_at: 'payouts.payouts.requested_at',
      paid_at: 'payouts.payouts.paid_at',
      failure_code: 'payouts.payouts.failure_code',
      retry_of: 'payouts.payouts.retry_of',
      ...reasons(FIGURE, ['invoice_id', 'requested_day', 'paid_day', 'nonce', 'ask_at', 'asks']),
      ...reasons(FIGURE, ['leased_until', 'pay_attempts', 'unclear_since', 'reported_at']),
      ...reasons(FIGURE, ['begun_at', 'changed_at']),
      ...reasons('may concern the account of the store', ['unclear_reason', 'failure_message']),
    },
  },
  withoutProof: {
    'POST /svc/store/v1/payouts/dry-run': 'computes what would happen, and stores nothing',
  },
  screens: { portal: ['/app/payout-details?change=1'], console: ['/console/payouts'] },
  consoleGuides: { '/console/payouts': 'paying' },
  portalGuides: { '/app/payout-details': 'your-account#money' },
  guidesWithoutScreen: { payouts: '/help/paying' },
  async schemasOfTexts(site) {
    const { methodsOf } = await import('../gateways/methods.ts');
    return Object.fromEntries(methodsOf(site).map(({ type, details }) => [type, details]));
  },
  repeatsOnPostgres: [
    'addons/payouts/api/check-payout.test.ts',
    'addons/payouts/api/list-payout-changes.test.ts',
    'addons/payouts/api/list-payout-earnings.test.ts',
    'addons/payouts/api/request-withdrawal.test.ts',
    'addons/payouts/api/suspended-affiliate.test.ts',
    'addons/payouts/details/list-payout-methods.test.ts',
    'addons/payouts/details/payout-details.test.ts',
    'addons/payouts/details/same-destination.test.ts',
    'addons/payouts/gateways/methods.test.ts',
    'addons/payouts/payout/audit-payouts.test.ts',
    'addons/payouts/test/gateway-key-wrong.test.ts',
  ],
  runs: {
    leftOnSqlite: {
      'kills or stops processes again and again': [
        'addons/payouts/test/process/payout-crash.test.ts',
      ],
      'plays long random histories': [
        'addons/payouts/test/payment-once.test.ts',
        'addons/payouts/test/payout-model.test.ts',
      ],
    },
    differsOnPostgres: {
      'transactions meet: locks and races': [
        'addons/payouts/api/change-payout-status.test.ts',
        'addons/payouts/api/request-payout.test.ts',
        'addons/payouts/payment/resolve-payout.test.ts',
        'addons/payouts/results/apply-results.test.ts',
        'addons/payouts/retry/retry-payout.test.ts',
      ],
    },
    longHistories: [
      'addons/payouts/test/payout-model.test.ts',
      'addons/payouts/test/payment-once.test.ts',
    ],
    fromSources: [
      'addons/payouts/test/payment-once.test.ts',
      'addons/payouts/test/payout-model.test.ts',
    ],
    noted: [
      'addons/payouts/api/change-payout-status.test.ts',
      'addons/payouts/api/check-payout.test.ts',
      'addons/payouts/api/list-payout-earnings.test.ts',
    ],
  },
};
