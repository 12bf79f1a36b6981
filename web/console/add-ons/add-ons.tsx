import { Link, useLocation } from 'wouter-preact';
import type { AddOn } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PendingCard } from '../../ui/error-state.tsx';
import { ItemList } from '../../ui/item-list.tsx';
import { Notice } from '../../ui/notice.tsx';
import { formatNumber, hasWord, t } from '../../words.ts';
import { mainScreenOf } from '../addon-parts.ts';
import { nameOf, SwitchAddOn } from './switch-add-on.tsx';
import './add-ons.css';

/** The add-ons of this installation, on and off. */
export function AddOns() {
  const address = useAddress('/console/add-ons');
  const [, navigate] = useLocation();
  const { data, error, retry } = useData('addons', {}, () => api.addons.get());
  const parts = [
    { title: t('console-add-ons.on'), addons: data?.addons.filter(({ active }) => active) ?? [] },
    { title: t('console-add-ons.off'), addons: data?.addons.filter(({ active }) => !active) ?? [] },
  ].filter(({ addons }) => addons.length > 0);
  const open = data?.addons.find(({ name }) => name === address.get('switch'));
  return (
    <Screen title={t('console.nav.add-ons')}>
      {data && (
        <p class="muted">
          {t('console-add-ons.edition', { edition: data.edition })} {t('console-add-ons.how')}
        </p>
      )}
      {data?.fixed && <Notice kind="info">{t('console-add-ons.fixed')}</Notice>}
      {!data && <PendingCard error={error} retry={retry} lines={3} />}
      {data?.addons.length === 0 && (
        <Card>
          <EmptyState of="console-add-ons.empty" />
        </Card>
      )}
      {parts.map(({ title, addons }) => (
        <Card key={title} title={`${title} (${formatNumber(addons.length)})`}>
          <div class="add-ons">
            <ItemList
              items={addons.map((addOn) => ({
                key: addOn.name,
                title: <Name addOn={addOn} />,
                detail: <About addOn={addOn} />,
                action: !data!.fixed && (
                  <Button
                    kind="quiet"
                    aria-label={
                      addOn.active
                        ? t('console-add-ons.switchOffTitle', { name: nameOf(addOn) })
                        : t('console-add-ons.switchOnTitle', { name: nameOf(addOn) })
                    }
                    onClick={() => navigate(address.hrefOf({ switch: addOn.name }))}
                  >
                    {addOn.active ? t('console-add-ons.switchOff') : t('console-add-ons.switchOn')}
                  </Button>
                ),
              }))}
            />
          </div>
        </Card>
      ))}
      {open && (
        <SwitchAddOn
          addOn={open}
          onClose={() => navigate(address.hrefOf({ switch: undefined }), { replace: true })}
        />
      )}
    </Screen>
  );
}

/** The screen on which an add-on without a folder of its own is set up. */
const screens: Readonly<Record<string, string>> = {};

/** Leads to its screen, where it has one. */
function Name({ addOn }: { addOn: AddOn }) {
  const screen = mainScreenOf(addOn.name) ?? screens[addOn.name];
  const name = nameOf(addOn);
  return addOn.active && screen ? <Link href={`/console/${screen}`}>{name}</Link> : <>{name}</>;
}

/** What it does for the program, and its settings. An extension describes itself. */
function About({ addOn: { name, summary, settings, active } }: { addOn: AddOn }) {
  const key = `console-add-ons.about.${name}`;
  return (
    <>
      {hasWord(key) ? t(key) : summary}{' '}
      {active && settings.length > 0 && (
        <Link href={`/console/settings?q=${name}.`}>{t('console-add-ons.settings')}</Link>
      )}
    </>
  );
}
