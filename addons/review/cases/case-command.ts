import { invoke } from '../../../src/kernel/call/invoke.ts';
import type { CommandContext } from '../../../src/kernel/declare/command.ts';
import { textTable } from '../../../src/shared/text-table.ts';
import { decideCase } from '../api/decide-case.ts';
import { getCase } from '../api/get-case.ts';
import { listCases } from '../api/list-cases.ts';

export interface ListFlags {
  state: string;
  rule?: string;
  affiliate?: string;
}

export interface DecideFlags {
  note?: string;
  quiet?: true;
}

export async function list(
  { withSite, print }: CommandContext,
  { state, rule, affiliate: affiliate_id }: ListFlags,
): Promise<void> {
  await withSite(async (site) => {
    const filter = { state, rule, affiliate_id, sort: 'oldest', per_page: 100 };
    const cases = await invoke(site, listCases, filter);
    print(cases, () =>
      cases.length === 0
        ? 'No cases.'
        : textTable(
            ['id', 'state', 'opened', 'rule', 'about', 'affiliate', 'held', 'reason'],
            cases.map((one) => [
              String(one.id),
              one.state,
              one.date,
              one.rule,
              `${one.subject.type} ${one.subject.id}`,
              one.affiliate?.name ?? '-',
              `${one.held} ${one.currency}`,
              one.reason,
            ]),
          ),
    );
  });
}

export async function show({ withSite, print }: CommandContext, id: string): Promise<void> {
  await withSite(async (site) => {
    const found = await invoke(site, getCase, { id });
    const { subject, affiliate, orders } = found;
    const who = affiliate && `${affiliate.name} (${affiliate.id})`;
    const ids = orders.map(({ order_id }) => order_id).join(', ');
    print(found, () =>
      [
        `Case ${found.id} about ${subject.type} ${subject.id} is ${found.state}.`,
        ...(who === null ? [] : [`Affiliate: ${who}`]),
        `Held: ${found.held} ${found.currency}${ids && ` (orders ${ids})`}`,
        ...found.evidence.map(({ date, reason, rule }) => `${date} ${reason} [${rule}]`),
        ...(found.answer === null ? [] : [`${found.date_answered} Answer: ${found.answer}`]),
        ...found.history.map(
          ({ date, action, name, note }) => `${date} ${action}${name ? ` by ${name}` : ''} ${note}`,
        ),
      ].join('\n'),
    );
  });
}

export async function decide(
  { withSite, print }: CommandContext,
  id: string,
  decision: string,
  { note, quiet }: DecideFlags,
): Promise<void> {
  await withSite(async (site) => {
    const decided = await invoke(site, decideCase, { id, decision, note, tell: !quiet });
    print(decided, () => `Case ${decided.id} is ${decided.state}.`);
  });
}
