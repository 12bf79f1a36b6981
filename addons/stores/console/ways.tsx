import { rich } from '../../../web/ui/rich.tsx';
import { Choice } from '../../../web/ui/choice.tsx';
import { hasWord, t } from '../../../web/words.ts';
import type { StoreKind } from './connection-state.tsx';
import { CopiedText } from './copied-text.tsx';

/** How a store is connected: by approving it there, with keys, or by telling it where to send its orders. */
export interface Way {
  readonly by: 'approve' | 'keys' | 'receive';
  /** The values that are entered. */
  readonly names: readonly string[];
}

/** Those by which values are entered, the usual one first. */
export function keyWaysOf({ credential_sets: sets }: StoreKind): Way[] {
  return sets.map((names) => ({ by: 'keys', names }));
}

interface WayChoiceProps {
  kind: StoreKind;
  ways: readonly Way[];
  current: Way;
  onChoose(way: Way): void;
}

export function WayChoice({ kind, ways, current, onChoose }: WayChoiceProps) {
  if (ways.length < 2) return null;
  return (
    <Choice
      name="way"
      legend={t('console-stores.way')}
      current={nameOf(current)}
      onChoose={(name) => onChoose(ways.find((one) => nameOf(one) === name)!)}
      options={ways.map((way) => ({
        value: nameOf(way),
        label: wordOf('way', kind, way),
        hint: wordOf('wayHint', kind, way),
      }))}
    />
  );
}

/** All that Tributary does in a shop of Shopify needs one of them; see the guide. */
const SHOPIFY_SCOPES = 'read_orders,read_customers,read_products,write_discounts';
const STEPS = [1, 2, 3, 4];

/** Where the values come from, step by step. */
export function HowTo({ kind, way }: { kind: StoreKind; way: Way }) {
  const steps = STEPS.map((step) => `console-stores.how.${kind.kind}.${nameOf(way)}.${step}`);
  const known = steps.filter(hasWord);
  if (known.length === 0) return null;
  return (
    <ol class="store-how">
      {known.map((step) => (
        <li key={step}>
          {rich(step, {
            dashboard: (
              <a href="https://dev.shopify.com/dashboard" target="_blank" rel="noreferrer">
                Dev Dashboard
              </a>
            ),
            scopes: (
              <CopiedText
                name={t('console-stores.scopes')}
                text={SHOPIFY_SCOPES}
                label={t('console-stores.scopesCopy')}
              />
            ),
          })}
        </li>
      ))}
    </ol>
  );
}

export function nameOf({ by, names }: Way): string {
  return by === 'keys' ? names.join('-') : by;
}

/** Kinds with several sets of keys have words for each. */
function wordOf(part: 'way' | 'wayHint', { kind }: StoreKind, way: Way): string {
  const own = `console-stores.${part}.${kind}.${nameOf(way)}`;
  return t(hasWord(own) ? own : `console-stores.${part}.${way.by}`);
}
