import type { StoreConnection } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { DownloadButton } from '../../../web/ui/download-button.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { FoldCard } from '../../../web/ui/fold-card.tsx';
import { t } from '../../../web/words.ts';
import { isSetUp, useKinds } from './connection-state.tsx';
import { ScriptLine } from './script-card.tsx';

type Case = 'visit' | 'open' | 'last' | 'direct' | 'later';
type Answer = 'yes' | 'last' | 'script' | 'lastScript' | 'plugin' | 'direct';

/** Which purchases each kind credits to a link. Other kinds credit what their program sends. */
const answers: Record<string, readonly (readonly [Case, Answer])[]> = {
  woocommerce: [
    ['visit', 'yes'],
    ['open', 'yes'],
    ['last', 'last'],
    ['direct', 'direct'],
    ['later', 'plugin'],
  ],
  shopify: [
    ['visit', 'yes'],
    ['open', 'script'],
    ['last', 'lastScript'],
    ['later', 'script'],
  ],
  stripe: [
    ['visit', 'script'],
    ['later', 'script'],
  ],
};

/** What the store credits to links, and what to install so that it credits the rest. Folded once orders come in. */
export function LinksCard({ connection }: { connection: StoreConnection }) {
  const { id, kind } = connection;
  const known = answers[kind];
  const hasPlugin = useKinds().data?.find((one) => one.kind === kind)?.has_plugin;
  if (hasPlugin === undefined) return null;
  return (
    <FoldCard title={t('console-stores.links')} isOpen={!isSetUp(connection)}>
      {known && <p class="muted">{t('console-stores.links.text')}</p>}
      {known && (
        <Facts
          facts={known.map(([name, answer]) => ({
            name: t(`console-stores.links.case.${name}`),
            value: t(`console-stores.links.answer.${answer}`),
          }))}
        />
      )}
      {hasPlugin ? <Plugin id={id} /> : <Script kind={kind} />}
    </FoldCard>
  );
}

function Plugin({ id }: { id: number }) {
  return (
    <>
      <p class="muted">{t('console-stores.links.plugin')}</p>
      <div class="store-actions">
        <DownloadButton
          label={t('console-stores.links.download')}
          fileName="tributary-for-woocommerce.zip"
          load={(options) => api.connections.plugin(id, options)}
        />
      </div>
    </>
  );
}

function Script({ kind }: { kind: string }) {
  const text = kind === 'shopify' || kind === 'stripe' ? kind : 'own';
  return (
    <>
      <p class="muted">{t(`console-stores.links.script.${text}`)}</p>
      <ScriptLine />
    </>
  );
}

/** After connecting: that links need one more step. */
export function LinksHint({ hasPlugin }: { hasPlugin: boolean }) {
  return <p class="muted">{t(`console-stores.links.next.${hasPlugin ? 'plugin' : 'script'}`)}</p>;
}
