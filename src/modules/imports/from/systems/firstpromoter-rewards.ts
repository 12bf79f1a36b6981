import type { Item, RateTerms } from '../model.ts';
import { RowError, type Row } from '../row.ts';

/** A reward for sales. What it depends on is in the rules of its schemas. */
export function readReward(row: Row): Item[] {
  if (row.text('is_promoter_reward') !== 'true') return [];
  const [id, type] = [row.text('id'), row.text('promoter_reward_type') ?? 'sale'];
  if (!id) throw new RowError('id is missing');
  if (type !== 'sale') throw new RowError(`rewards of the type ${type} cannot be a rule`);
  const schemas = row.list('schemas');
  const terms = schemas.length === 1 ? oneSchema(schemas[0]!) : stepsOf(schemas);
  return [{ kind: 'reward', id, terms }];
}

/** A campaign with its rewards. Products are named by ids that only FirstPromoter knows. */
export function readCampaign(row: Row): Item[] {
  const id = row.text('id');
  if (!id) throw new RowError('id is missing');
  const rewards = row.list('rewards_for_promoters').map((one) => {
    const applies = one.text('apply_on') ?? 'all';
    if (applies !== 'all') throw new RowError(`a reward applies on "${applies}" only`);
    return one.text('reward_id') ?? '';
  });
  return [{ kind: 'campaign', id, isDefault: row.text('is_default') === 'true', rewards }];
}

function oneSchema(schema: Row): RateTerms {
  const percent = percentIn(schema);
  const [rule, another] = schema.list('rules');
  if (!rule) return { percent };
  if (another) throw new RowError('has several conditions, which cannot be one rule');
  const { type, condition, value } = conditionOf(rule);
  const last = condition === 'less than' ? value - 1 : value;
  if (condition.startsWith('less than') && last >= 1) {
    if (type === 'customer_sales_count') return { percent, limit: { payments: last } };
    if (type === 'customer_age_in_months') return { percent, limit: { months: last } };
  }
  throw new RowError(`the condition ${type} ${condition} ${value} cannot be a rule`);
}

/** Several percentages, each from a number of customers on. */
function stepsOf(schemas: readonly Row[]): RateTerms {
  if (schemas.length === 0) throw new RowError('has no schema');
  const steps = schemas
    .map((schema) => {
      const [rule, another] = schema.list('rules');
      if (!rule) return { from: 0, percent: percentIn(schema) };
      const { type, condition, value } = conditionOf(rule);
      const isFrom = condition.startsWith('greater than');
      if (another || !isFrom || type !== 'promoter_campaign_customers_count') {
        throw new RowError('has conditions that cannot be steps of one rule');
      }
      const from = condition === 'greater than' ? value + 1 : value;
      return { from, percent: percentIn(schema) };
    })
    .toSorted((a, b) => a.from - b.from);
  if (steps[0]!.from > 0) steps.unshift({ from: 0, percent: 0 });
  const isRising = steps.every(({ from }, i) => i === 0 || from > steps[i - 1]!.from);
  if (!isRising) throw new RowError('has conditions that cannot be steps of one rule');
  return { steps: { by: 'new_customers', counts: 'granted', window: { kind: 'always' }, steps } };
}

/** The unit of amounts is not documented, so only percentages are used. */
function percentIn(schema: Row): number {
  const unit = schema.text('unit') ?? 'cash';
  if (unit !== 'cash') throw new RowError(`pays ${unit}, which cannot be a rule`);
  if (schema.text('flat_amount') === 'true') {
    throw new RowError('pays an amount, whose unit FirstPromoter does not document');
  }
  const percent = schema.percent('amount');
  if (percent === undefined) throw new RowError('amount is missing');
  return percent;
}

function conditionOf(rule: Row) {
  const value = Number(rule.text('value'));
  if (!Number.isSafeInteger(value)) throw new RowError('value is not a whole number');
  return { type: rule.text('type') ?? '', condition: rule.text('condition') ?? '', value };
}
