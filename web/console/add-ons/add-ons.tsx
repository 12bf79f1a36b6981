import { Link, useLocation } from 'wouter-preact';
import type { AddOn } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { ItemList } from '../../ui/item-list.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pill } from '../../ui/pill.tsx';
import { t } from '../../words.ts';
import { SwitchAddOn } from './switch-add-on.tsx';

/** The add-ons of this installation, on and off. */
export function AddOns() {
  const address = useAddress('/console/add-ons');
  const [, navigate] = useLocation();
  const { data, error, retry } = useData('addons', {}, () => api.addons.get());
  const open = data?.addons.find(({ name }) => name === address.get('switch'));
  return (
    <Screen title={t('console.nav.add-ons')}>
      {data && (
        <p class="muted">
          {t('console-add-ons.edition', { edition: data.edition })} {t('console-add-ons.how')}
        </p>
      )}
      {data?.fixed && <Notice kind="info">{t('console-add-ons.fixed')}</Notice>}
      <Card>
        {!data && <Pending error={error} retry={retry} lines={3} height="3rem" />}
        {data?.addons.length === 0 && (
          <EmptyState title={t('console-add-ons.emptyTitle')}>
            {t('console-add-ons.emptyText')}
          </EmptyState>
        )}
        {data && data.addons.length > 0 && (
          <ItemList
            items={data.addons.map((addOn) => ({
              key: addOn.name,
              title: (
                <>
                  {addOn.name}{' '}
                  <Pill kind={addOn.active ? 'good' : 'plain'}>
                    {addOn.active ? t('console-add-ons.on') : t('console-add-ons.off')}
                  </Pill>
                </>
              ),
              detail: <About addOn={addOn} />,
              action: !data.fixed && (
                <Button
                  kind="quiet"
                  aria-label={
                    addOn.active
                      ? t('console-add-ons.switchOffTitle', { name: addOn.name })
                      : t('console-add-ons.switchOnTitle', { name: addOn.name })
                  }
                  onClick={() => navigate(address.hrefOf({ switch: addOn.name }))}
                >
                  {addOn.active ? t('console-add-ons.switchOff') : t('console-add-ons.switchOn')}
                </Button>
              ),
            }))}
          />
        )}
      </Card>
      {open && (
        <SwitchAddOn
          addOn={open}
          onClose={() => navigate(address.hrefOf({ switch: undefined }), { replace: true })}
        />
      )}
    </Screen>
  );
}

function About({ addOn }: { addOn: AddOn }) {
  const { summary, operations, events, settings, active, name } = addOn;
  return (
    <>
      {summary}
      <br />
      {[
        t('console-add-ons.count.operations', { count: operations }),
        t('console-add-ons.count.events', { count: events }),
        t('console-add-ons.count.settings', { count: settings.length }),
      ].join(' · ')}
      {active && settings.length > 0 && (
        <>
          {' · '}
          <Link href={`/console/settings?group=${name}`}>{t('console-add-ons.settings')}</Link>
        </>
      )}
    </>
  );
}
