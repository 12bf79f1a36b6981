import type { AddonFacts, Scenarios } from '../../../test/support/addon-facts.ts';
import { holdOrder } from '../../../test/support/hold-order.ts';
import { idOf } from '../../../test/support/people.ts';
import type { RuleName } from '../rules/rules.ts';

const FIGURE = 'a sum of rows that are exported, or about the working of the service';
const CHANGE_RULE = 'PATCH /review/rules/{name}';

/** The lowest thresholds of each rule; the specification itself says what an order of one's own earns. */
const everything: Record<Exclude<RuleName, 'own_order'>, object> = {
  duplicate_affiliates: {},
  same_people: {},
  first_order_above: { amount: 0 },
  throwaway_mail: { domains: ['test.example', 'example.com'] },
  paid_ads: {},
  banned_referrers: {},
  code_leaked: { times: 1, orders: 1 },
  unusual_volume: { times: 1, orders: 1, clicks: 1, conversion: 0 },
  many_refunds: { share: 0, orders: 1 },
};

type Prepare = Scenarios[string][string];

/** A case about maya, which holds the commission of an order. */
async function openCase(...[fresh, send, app]: Parameters<Prepare>): Promise<number> {
  const code = fresh('HELD');
  await send('POST', '/coupons', { code, user_id: idOf('maya') });
  return holdOrder(app, { id: Number(fresh('88')), code });
}

export const facts: AddonFacts = {
  personalColumns: {
    review_cases: {
      id: 'cases.id',
      state: 'cases.state',
      rule: 'cases.rule',
      subject_type: 'cases.subject_type',
      subject_id: 'cases.subject_id',
      user_id: 'account.id',
      evidence: 'may concern customers',
      held: 'cases.held',
      answer: 'cases.answer',
      answered_at: 'cases.answered_at',
      opened_at: 'cases.opened_at',
      decided_at: 'cases.decided_at',
      decided_by: 'about another person',
      note: 'cases.note',
      answer_file: 'cases.answer_file',
      tell: FIGURE,
      suspended: FIGURE,
      reminded_at: FIGURE,
      reopened_at: FIGURE,
      holds_new: FIGURE,
    },
    review_click_traces: 'of visitors: a host, names of parameters and a keyed hash, for 90 days',
    review_devices: 'keyed hashes of the browser and the network of an application, for a year',
    review_history: 'the steps of cases, which are exported with their last state',
    review_holds: FIGURE,
    review_order_traces: 'of customers, as keyed hashes of the domains of their mailboxes',
    review_payouts: FIGURE,
    review_referrals: FIGURE,
  },
  async fillPerson(send, _userId, app) {
    await send('POST', '/coupons', { code: 'HELD', user_id: idOf('maya') });
    const id = await holdOrder(app, { id: 900, code: 'HELD' });
    const session = await app.signIn('maya');
    const file = { name: 'invoice.pdf', content: btoa('%PDF-1.7\n%%EOF') };
    const json = { text: 'A regular customer.', file };
    await app.call(`/svc/store/v1/cases/${id}/answer`, { method: 'POST', session, json });
  },
  withoutProof: {
    'POST /svc/store/v1/cases/{id}/answer': 'a text or a file; no money and no secret',
    'POST /svc/store/v1/cases/{id}/reopen': 'holds the commission again; the decision asks',
    'POST /svc/store/v1/review/rules/{name}/try': 'tries, and stores nothing',
  },
  hiddenSettings: ['review.rules'],
  screens: { console: ['/console/review', '/console/review?view=rules'] },
  forms: ['/console/review?view=rules&rule=throwaway_mail'],
  async beforeScreens(app, code) {
    await holdOrder(app, { id: 8, code });
    return ['/console/review?view=all&open=1'];
  },
  consoleGuides: { '/console/review': 'review' },
  guidesWithoutScreen: { 'review-api': '/help/review' },
  posts: {
    'store:post_review_rules_name_try': {
      'a rule': () => ({ values: { name: 'first_order_above' }, json: { amount: 1 } }),
    },
    'store:post_cases_id_decide': {
      'a case': async (...kit) => ({
        values: { id: await openCase(...kit) },
        json: { decision: 'clear' },
      }),
    },
    'store:post_cases_decide': {
      cases: async (...kit) => ({ json: { ids: [await openCase(...kit)], decision: 'reject' } }),
    },
    'store:post_cases_id_reopen': {
      async 'a case that was cleared'(fresh, send, app) {
        const id = await openCase(fresh, send, app);
        await send('POST', `/cases/${id}/decide`, { decision: 'clear' });
        return { values: { id } };
      },
    },
    'store:post_cases_id_answer': {
      'a case about oneself': async (fresh, send, app) => ({
        values: { id: await openCase(fresh, send, app) },
        json: { text: 'Once' },
        key: await app.key('maya', 'read,write'),
      }),
    },
  },
  filledWith: ({ first, placedAt }) => ({
    'review_cases.evidence': `'[]'`,
    'review_cases.opened_at': placedAt,
    'review_cases.rule': `'same_people'`,
    'review_cases.state': first("'open'", "'cleared'"),
    'review_cases.subject_id': `'' || i`,
    'review_cases.subject_type': `'order'`,
    'review_history.action': `'opened'`,
    'review_referrals.restraint': `'rejected'`,
    'review_referrals.state': `'granted'`,
  }),
  tablesOfOrders: ['review_order_traces'],
  grows: {
    'POST /svc/store/v1/review/rules/{name}/try': {
      stepsPerRow: 60,
      because: 'asks for the orders of every affiliate, in batches',
    },
    'job review.patterns': {
      stepsPerRow: 130,
      because:
        'reads where the clicks of today and yesterday came from, which are all here, and the clicks of each coupon, in batches',
    },
  },
  allowsOneAccount: [CHANGE_RULE, { name: 'duplicate_affiliates' }, { action: 'off' }],
  suspicion: (action, nowMs) => ({
    extension: {
      name: 'judge',
      judgeReferral: `() => ({ action: '${action}', reason: 'Every order is suspicious.' })`,
    },
    changes: Object.entries(everything).map(([name, options]) => [
      CHANGE_RULE,
      { name },
      { action, ...options },
    ]),
    statements: suspicious(Number(action === 'hold'), nowMs),
  }),
  runs: {
    leftOnSqlite: {
      'tries every control of one screen of the team, which test/browser/every-screen.test.ts opens':
        ['addons/review/test/browser/console-review.test.ts'],
      'plays long random histories': ['addons/review/test/model/review-model.test.ts'],
    },
    longHistories: ['addons/review/test/model/review-model.test.ts'],
  },
  repeatsOnPostgres: [
    'addons/review/rules/click-rules.test.ts',
    'addons/review/rules/own-order-rule.test.ts',
    'addons/review/rules/rule-figures.test.ts',
    'addons/review/test/bonuses.test.ts',
  ],
  serverOnly: ['addons/review/test/postgres/returned-payouts.test.ts'],
};

/** In SQL, so that whatever a test stores is suspicious from the first moment. */
function suspicious(holdsNew: number, nowMs: number): string[] {
  const openCaseOf = (user: string) =>
    `insert into review_cases (state, rule, subject_type, subject_id, user_id, evidence, held, opened_at, note, tell,
       suspended, holds_new)
     select 'open', 'code_leaked', 'affiliate', id, id, '[]', 0, ${nowMs}, '', 0, 0, ${holdsNew}
     from users where id = ${user}`;
  const sameDevice = (user: string) =>
    `insert into review_devices (user_id, device_hash, network_hash, recorded_at)
     select id, 'same', 'same', ${nowMs} from users where id = ${user}`;
  return [
    openCaseOf('users.id'),
    sameDevice('users.id'),
    `create trigger suspects_users after insert on users begin
       ${openCaseOf('new.id')}; ${sameDevice('new.id')};
     end`,
    `create trigger suspects_payouts after insert on payouts begin
       insert into review_payouts (case_id, payout_id)
       select id, new.id from review_cases
       where subject_type = 'affiliate' and user_id = new.user_id and state = 'open';
     end`,
  ];
}
