import type { Overview } from '../../../sdk/src/index.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { t } from '../../words.ts';
import { hrefOfObject } from '../object-href.ts';
import { figureColumns } from './figure-columns.tsx';

type Top = Overview['top_affiliates'];

export function TopAffiliates({ top }: { top: Top }) {
  return (
    <Card labelledBy="top">
      <h2 id="top">{t('console-overview.top')}</h2>
      {top.length === 0 ? (
        <p class="muted">{t('console-overview.noTop')}</p>
      ) : (
        <DataTable
          caption={t('console-overview.top')}
          rows={top}
          keyOf={({ user }) => user.id}
          hrefOf={({ user }) => hrefOfObject('affiliate', user.id) ?? '/console'}
          columns={[
            {
              key: 'name',
              label: t('console-overview.affiliate'),
              phone: 'title',
              cell: ({ user }) => user.display_name,
            },
            ...figureColumns<Top[number]>('commission'),
          ]}
        />
      )}
    </Card>
  );
}
