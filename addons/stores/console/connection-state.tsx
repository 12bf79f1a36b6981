import type { StoreConnection, StoreDelivery, StoreKinds } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData, type Loaded } from '../../../web/data.ts';
import { useSession } from '../../../web/session.ts';
import { Pill, type PillKind } from '../../../web/ui/pill.tsx';
import { currentLanguage, t } from '../../../web/words.ts';

export type StoreKind = StoreKinds['kinds'][number];

const connectionKinds: Record<StoreConnection['state'], PillKind> = {
  connected: 'good',
  receiving: 'accent',
  degraded: 'warn',
  failed: 'bad',
  paused: 'plain',
};

const deliveryKinds: Record<StoreDelivery['state'], PillKind> = {
  received: 'warn',
  done: 'good',
  ignored: 'plain',
  failed: 'bad',
};

export function ConnectionPill({ connection }: { connection: StoreConnection }) {
  const { state } = connection;
  if (isCatchingUp(connection)) {
    return <Pill kind="warn">{t('console-stores.state.catchingUp')}</Pill>;
  }
  return <Pill kind={connectionKinds[state]}>{t(`console-stores.state.${state}`)}</Pill>;
}

/** A store that does not answer has another problem first. */
export function isCatchingUp({ state, catching_up: isBehind }: StoreConnection): boolean {
  return state === 'connected' && isBehind;
}

/** Its orders come in, and its setup has no fault. */
export function isSetUp({ state, last_order_at, coupon_errors }: StoreConnection): boolean {
  return state === 'connected' && last_order_at !== null && coupon_errors.length === 0;
}

export function DeliveryPill({ state }: { state: StoreDelivery['state'] }) {
  return <Pill kind={deliveryKinds[state]}>{t(`console-stores.delivery.${state}`)}</Pill>;
}

/** Administrators change; managers read. */
export function useCanChange(): boolean {
  return useSession().account.role === 'administrator';
}

/** Most kinds have a name of their own. */
function nameOf({ kind, label }: StoreKind): string {
  return kind === 'http' ? t('console-stores.ownStore') : label;
}

/** The kinds of stores, with what each asks for. They change only with the installation. */
export function useKinds(): Loaded<readonly StoreKind[]> {
  return useData('store-kinds', {}, async () => {
    const { kinds } = await api.connectionKinds.get();
    return kinds.map((kind) => ({ ...kind, label: nameOf(kind) }));
  });
}

export function webhooksOf({ webhooks_active: active }: StoreConnection): string {
  if (active === null) return t('console-stores.webhooks.unknown');
  return active ? t('console-stores.webhooks.on') : t('console-stores.webhooks.off');
}

const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const;

/** How old the last complete reading is, in the largest unit that fits twice. */
export function lagOf({ lag_s: lag }: StoreConnection): string {
  if (lag === null) return t('console-stores.never');
  const { unit, seconds } = units.find((one) => lag >= 2 * one.seconds) ?? units.at(-1)!;
  const format = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' });
  return format.format(-Math.floor(lag / seconds), unit);
}
