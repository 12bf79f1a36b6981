import { sql } from 'kysely';
import type { Reader } from '../../../src/db/database.ts';
import { readAll } from '../../../src/db/statements/calls.ts';

const FIGURES_MS = 90 * 24 * 60 * 60_000;
/** Fewer decisions say nothing about a rule. */
const DECIDED_MIN = 5;
/** A rule is worth its work if one in so many of its cases is confirmed. */
const ONE_IN = 5;

/** What became of the cases that a rule opened in the last 90 days. */
export interface RuleFigures {
  readonly hits: number;
  /** Rejected by a person. */
  readonly confirmed: number;
  /** Cleared by a person. */
  readonly false_alarms: number;
}

const none: RuleFigures = { hits: 0, confirmed: 0, false_alarms: 0 };

/** A setting or a rule may decide as well, which says nothing about the rule. */
const decidedAs = (state: 'rejected' | 'cleared') =>
  sql<number>`coalesce(sum(case when state = ${sql.lit(state)} and decided_by > 0 then 1 else 0 end), 0)`;

const casesByRule = readAll<{ since: number }, RuleFigures & { rule: string }>((db, p) =>
  db
    .selectFrom('review_cases')
    .select('rule')
    .select(({ fn }) => fn.countAll<number>().as('hits'))
    .select([decidedAs('rejected').as('confirmed'), decidedAs('cleared').as('false_alarms')])
    .where('opened_at', '>=', p.since)
    .groupBy('rule'),
);

/** The figures of any rule. */
export async function readRuleFigures(
  db: Reader,
  nowMs: number,
): Promise<(rule: string) => RuleFigures> {
  const rows = await casesByRule(db, { since: nowMs - FIGURES_MS });
  const byRule = new Map(rows.map(({ rule, ...figures }) => [rule, figures]));
  return (rule) => byRule.get(rule) ?? none;
}

/** Whether most of what the rule finds is a false alarm. */
export function isMostlyFalse({ confirmed, false_alarms }: RuleFigures): boolean {
  const decided = confirmed + false_alarms;
  return decided >= DECIDED_MIN && confirmed * ONE_IN < decided;
}
