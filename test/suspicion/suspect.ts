import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeReviewRule } from '../../src/addons/review/api/change-rule.ts';
import { patternNames, ruleNames } from '../../src/addons/review/rules/rules.ts';
import { invoke } from '../../src/kernel/call/invoke.ts';
import { everyAddonOn } from '../support/every-addon-on.ts';
import type { TestApp } from '../support/harness.ts';
import { SUSPICION_VARIABLE, type Suspicion } from './test-files.ts';

// The answers of the v2 API must not depend on what the review finds. Some of their tests run once more in a service where
// every add-on is on, every order opens a case, every affiliate has an open one, and every payout belongs to it.

const suspicion = process.env[SUSPICION_VARIABLE] as Suspicion | undefined;
const action = suspicion === 'Held' ? 'hold' : 'note';

/** The lowest thresholds. */
const options: Partial<Record<(typeof ruleNames)[number], object>> = {
  first_order_above: { amount: 0 },
  throwaway_mail: { domains: ['test.example', 'example.com'] },
  code_leaked: { times: 1, orders: 1 },
  unusual_volume: { times: 1, orders: 1, clicks: 1, conversion: 0 },
  many_refunds: { share: 0, orders: 1 },
};

/** An extension that finds every order suspicious, with or without a customer. */
export function suspiciousExtension(folder: string): { extensions?: string } {
  if (suspicion === undefined) return {};
  const verdict = { action, reason: 'Every order is suspicious.' };
  const judge = `{ name: 'judge', judgeReferral: () => (${JSON.stringify(verdict)}) }`;
  const extensions = join(folder, 'judge.mjs');
  writeFileSync(extensions, `export default ${judge};`);
  return { extensions };
}

export async function suspectEverything(app: TestApp): Promise<void> {
  // The free edition has no add-ons.
  const isPro = app.site.registry.modules.some(({ name }) => name === 'review');
  if (suspicion === undefined || !isPro) return;
  await app.set(everyAddonOn);
  for (const name of ruleNames) {
    // The specification itself says what an order of one's own earns.
    if (name === 'own_order') continue;
    await invoke(app.site, changeReviewRule, { name, action, ...options[name] });
  }
  await app.site.database.transaction(async (tx) => {
    for (const statement of statements(app.site.clock())) await tx.execute(statement);
  });
}

/** In SQL, so that whatever a test stores is suspicious from the first moment. */
function statements(nowMs: number): string[] {
  const holdsNew = suspicion === 'Held' ? 1 : 0;
  const openCase = (user: string) =>
    `insert into review_cases (state, rule, subject_type, subject_id, user_id, evidence, held, opened_at, note, tell,
       suspended, holds_new)
     select 'open', '${patternNames[0]}', 'affiliate', id, id, '[]', 0, ${nowMs}, '', 0, 0, ${holdsNew}
     from users where id = ${user}`;
  const sameDevice = (user: string) =>
    `insert into review_devices (user_id, device_hash, network_hash, recorded_at)
     select id, 'same', 'same', ${nowMs} from users where id = ${user}`;
  return [
    openCase('users.id'),
    sameDevice('users.id'),
    `create trigger suspects_users after insert on users begin
       ${openCase('new.id')}; ${sameDevice('new.id')};
     end`,
    `create trigger suspects_payouts after insert on payouts begin
       insert into review_payouts (case_id, payout_id)
       select id, new.id from review_cases
       where subject_type = 'affiliate' and user_id = new.user_id and state = 'open';
     end`,
  ];
}
