import type { LandingPage } from '../../../sdk/src/index.ts';
import { Card } from '../../ui/card.tsx';
import { numberColumn } from '../../ui/columns.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { t } from '../../words.ts';

/** Of `GET /clicks/landing-pages`. */
const OTHER_PAGES = '(other)';

/** The pages of the store that visitors arrive at, most clicks first. */
export function LandingPages({ pages }: { pages: readonly LandingPage[] }) {
  const columns: Column<LandingPage>[] = [
    {
      key: 'path',
      label: t('console-clicks.landingPage'),
      phone: 'title',
      cell: ({ path }) => (
        <span class="landing-path">
          {path === OTHER_PAGES ? t('console-clicks.otherPages') : readable(path)}
        </span>
      ),
    },
    numberColumn('clicks', t('console-clicks.clicks'), 'aside', ({ clicks }) => clicks),
  ];
  return (
    <Card>
      <div class="card-head">
        <h2>{t('console-clicks.landingPages')}</h2>
      </div>
      <DataTable
        caption={t('console-clicks.landingPages')}
        columns={columns}
        rows={pages}
        keyOf={({ path }) => path}
      />
    </Card>
  );
}

/** Paths are stored as browsers send them: `/k%C3%A4se`. */
function readable(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
