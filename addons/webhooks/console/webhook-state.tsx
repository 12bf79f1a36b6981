import type { WebhookHealth } from '../../../sdk/src/index.ts';
import { formatPercent } from '../../../web/format.ts';
import { Pill, type PillKind } from '../../../web/ui/pill.tsx';
import { t } from '../../../web/words.ts';

type WebhookState = 'unused' | 'working' | 'failing' | 'stopped' | 'paused';

const kinds: Record<WebhookState, PillKind> = {
  unused: 'plain',
  working: 'good',
  failing: 'bad',
  stopped: 'bad',
  paused: 'warn',
};

function stateOf({ status, failures, last_delivery }: WebhookHealth): WebhookState {
  if (status === 'disabled') return failures > 0 ? 'stopped' : 'paused';
  if (failures > 0) return 'failing';
  return last_delivery === null ? 'unused' : 'working';
}

export function WebhookPill({ webhook }: { webhook: WebhookHealth }) {
  const state = stateOf(webhook);
  return <Pill kind={kinds[state]}>{t(`console-webhooks.state.${state}`)}</Pill>;
}

/** Undefined without attempts. */
export function rateOf({ delivered, failed }: { delivered: number; failed: number }) {
  return delivered + failed === 0 ? undefined : delivered / (delivered + failed);
}

/** Rounded down, so that one failure in a thousand does not become 100 %. */
export function formatRate(rate: number): string {
  return formatPercent(Math.floor(rate * 1_000) / 1_000);
}

/** The name, or the host for a webhook without one. */
export function titleOf({ name, url }: { name: string; url: string }): string {
  return name === '' ? new URL(url).host : name;
}
