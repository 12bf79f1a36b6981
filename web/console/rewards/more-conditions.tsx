import type { FunctionComponent } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hasAddon } from '../../addons.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FieldErrorsOf } from '../../ui/field.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { t } from '../../words.ts';
import { emptyDraft, useDraft, type RuleDraft } from './draft.ts';
import { LimitFields } from './limit-fields.tsx';
import { Active, Days, Name, Running } from './option-fields.tsx';
import { Countries, Customer, MinTotal, Payments, Stores, Via } from './order-fields.tsx';

interface Condition {
  /** The paths of its values in the rule. */
  readonly paths: readonly string[];
  readonly label: () => string;
  readonly Fields: FunctionComponent;
}

/** What most rules do not have, in the order in which a form shows it. */
const conditions: readonly Condition[] = [
  {
    paths: ['order.customer'],
    label: () => t('console-rewards.customer'),
    Fields: Customer,
  },
  {
    paths: ['order.payment', 'order.payments'],
    label: () => t('console-rewards.payment'),
    Fields: Payments,
  },
  {
    paths: ['order.min_total'],
    label: () => t('console-rewards.minTotal'),
    Fields: MinTotal,
  },
  {
    paths: ['order.countries'],
    label: () => t('console-rewards.countries'),
    Fields: Countries,
  },
  { paths: ['order.via'], label: () => t('console-rewards.via'), Fields: Via },
  { paths: ['order.stores'], label: () => t('console-rewards.stores'), Fields: Stores },
  { paths: ['from', 'to'], label: () => t('console-rewards.period'), Fields: Days },
  { paths: ['limit'], label: () => t('console-rewards.limit'), Fields: LimitFields },
  { paths: ['running'], label: () => t('console-rewards.running'), Fields: Running },
  { paths: ['name'], label: () => t('console-rewards.name'), Fields: Name },
  { paths: ['active'], label: () => t('console-rewards.active'), Fields: Active },
];

/** The conditions that the rule has, and a button for each of the others. One that is refused is shown too. */
export function MoreConditions() {
  const { draft, set } = useDraft();
  const faults = Object.keys(useContext(FieldErrorsOf));
  const [added, setAdded] = useState<ReadonlySet<Condition>>(new Set());
  const latest = useRef<HTMLDivElement>(null);
  const adds = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => latest.current?.querySelector<HTMLElement>('input, select')?.focus(),
    [added],
  );
  const isShown = (one: Condition) =>
    added.has(one) ||
    one.paths.some((path) => isSet(draft, path) || faults.some((name) => isIn(path, name)));
  const possible = conditions.filter(({ Fields }) => Fields !== Stores || hasAddon('stores'));
  const others = possible.filter((one) => !isShown(one));
  const last = [...added].at(-1);
  return (
    <Card title={t('console-rewards.moreConditions')}>
      {possible.filter(isShown).map((one) => {
        const { label, paths, Fields } = one;
        return (
          <div key={paths[0]} class="condition" ref={one === last ? latest : null}>
            <div class="condition-fields">
              <Fields />
            </div>
            <button
              type="button"
              class="move-button"
              aria-label={t('console-rewards.removeCondition', { name: label() })}
              onClick={() => {
                set(without(draft, paths));
                setAdded(new Set([...added].filter((kept) => kept !== one)));
                adds.current!.querySelector('button')?.focus();
              }}
            >
              <CloseIcon aria-hidden />
            </button>
          </div>
        );
      })}
      <div class="condition-adds" ref={adds}>
        {others.map((one) => (
          <Button
            key={one.paths[0]}
            type="button"
            kind="quiet"
            onClick={() => setAdded(new Set([...added, one]))}
          >
            {one.label()}
          </Button>
        ))}
      </div>
    </Card>
  );
}

const isIn = (path: string, name: string) => name === path || name.startsWith(`${path}.`);

/** A path has one or two steps. */
function valueAt(draft: RuleDraft, path: string): unknown {
  const [part, inside] = path.split('.');
  const value: unknown = draft[part as keyof RuleDraft];
  return inside === undefined ? value : (value as Record<string, unknown>)[inside];
}

const isSet = (draft: RuleDraft, path: string) =>
  JSON.stringify(valueAt(draft, path)) !== JSON.stringify(valueAt(emptyDraft, path));

function without(draft: RuleDraft, paths: readonly string[]): Partial<RuleDraft> {
  const order = paths.flatMap((path) => (path.startsWith('order.') ? path.slice(6) : []));
  if (order.length > 0) {
    const kept = Object.entries(draft.order).filter(([name]) => !order.includes(name));
    return { order: Object.fromEntries(kept) };
  }
  // The other paths are parts of a rule.
  return Object.fromEntries(paths.map((path) => [path, emptyDraft[path as keyof RuleDraft]]));
}
