import { Link } from 'wouter-preact';
import { api } from '../../api.ts';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { ItemList } from '../../ui/item-list.tsx';
import { t } from '../../words.ts';
import { addonFigures } from '../addon-parts.tsx';
import './figures-help.css';

/** How a program reads the affiliate's own figures: every address is complete, only the key has to be filled in. */
export function FiguresHelp() {
  const { me } = useSession();
  const base = `${location.origin}/svc/store/v1/affiliates/${me.user.id}`;
  const year = `from=${new Date().getFullYear()}-01-01`;
  const command = `curl '${base}/balance' -H 'Authorization: Bearer ${t('portal-figures.keyHere')}'`;
  const csv = `${base}/orders.csv?${year}`;
  const reads = [
    { what: t('portal-figures.balance'), address: `${base}/balance` },
    { what: t('portal-figures.orders'), address: `${base}/orders?${year}` },
    { what: t('portal-figures.sources'), address: `${base}/sources` },
    ...addonFigures.map(({ label, path }) => ({ what: t(label), address: base + path })),
    { what: t('portal-figures.statement'), address: `${base}/statement.csv` },
  ];
  return (
    <>
      <Card title={t('portal-figures.title')}>
        <p>{t('portal-figures.text')}</p>
        <p>
          {t('portal-figures.createKey')}{' '}
          <Link href="/app/profile?section=keys">{t('portal-profile.keys')}</Link>
        </p>
        <p>{t('portal-figures.send')}</p>
        <pre class="figures-command">
          <code>{command}</code>
        </pre>
        <CopyButton text={command} label={t('portal-figures.copyCommand')} />
      </Card>
      <Card title={t('portal-figures.sheet')}>
        <p>{t('portal-figures.sheetText')}</p>
        <pre class="figures-command">
          <code>{csv}</code>
        </pre>
        <CopyButton text={csv} label={t('portal-figures.copy', { what: 'orders.csv' })} />
        <p>{t('portal-figures.sum')}</p>
        <p>{t('portal-figures.otherwise')}</p>
        <div>
          <DownloadButton
            label={t('portal-figures.save')}
            fileName="orders.csv"
            load={(options) =>
              api.affiliates.ordersCsv(me.user.id, { from: '1970-01-01' }, options)
            }
          />
        </div>
      </Card>
      <Card title={t('portal-figures.addresses')}>
        <div class="figures-addresses">
          <ItemList
            items={reads.map(({ what, address }) => ({
              key: address,
              title: what,
              detail: <code>{address}</code>,
              action: <CopyButton text={address} label={t('portal-figures.copy', { what })} />,
            }))}
          />
        </div>
        <p class="muted">{t('portal-figures.amounts')}</p>
      </Card>
    </>
  );
}
