import type { Report } from '../../../sdk/src/index.ts';
import { formatDate } from '../../format.ts';
import { countryName } from '../../../src/shared/formats.ts';
import { currentLanguage, t } from '../../words.ts';
import { ObjectLink } from '../object-link.tsx';
import type { ReportRow } from './figures.ts';

/** The affiliate chose the sub-id, so its name stands with it. */
function SubName({ row: { name, affiliate } }: { row: ReportRow }) {
  return (
    <span class="report-name">
      <span>{name}</span>
      {affiliate && (
        <ObjectLink type="affiliate" id={affiliate.id}>
          {affiliate.name}
        </ObjectLink>
      )}
    </span>
  );
}

/** The name as a text. */
export function plainName(by: Report['by'], { id, name, affiliate }: ReportRow): string {
  if (by === 'day') return formatDate(name!, 'short');
  if (by === 'campaign') return name || t('console-reports.noCampaign');
  if (by === 'country')
    return name ? countryName(currentLanguage(), name) : t('console-reports.noCountry');
  if (by !== 'creative' && by !== 'sub1' && id === null) return t('console-reports.unassigned');
  return by === 'sub1' && affiliate ? `${name} · ${affiliate.name}` : (name ?? '');
}

/** The name with what it leads to. */
export function RowName({ by, row }: { by: Report['by']; row: ReportRow }) {
  const { id, name, affiliate } = row;
  if (by === 'sub1') return <SubName row={row} />;
  if ((by !== 'affiliate' && by !== 'coupon') || id === null) return <>{plainName(by, row)}</>;
  return (
    <span class="report-name">
      <ObjectLink type={by} id={id} {...(by === 'coupon' && name !== null && { search: name })}>
        {name}
      </ObjectLink>
      {affiliate && <span class="muted">{by === 'coupon' ? affiliate.name : affiliate.login}</span>}
    </span>
  );
}
