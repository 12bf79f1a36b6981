import { keptFormat } from '../../../src/shared/kept-format.ts';
import { formatDate } from '../../../web/format.ts';
import { currentLanguage, t } from '../../../web/words.ts';
import { ErrorState } from '../../../web/ui/error-state.tsx';
import type { LoadedPreview } from './preview.tsx';
import type { Segment } from './segment-fields.tsx';

/** The receivers in one sentence with the count of the service: "All 41 active affiliates of the group Gold". */
export function sentenceOf(segment: Segment, count: number): string {
  const { status = 'active', groups, languages, tags, joined_from, earned_from } = segment;
  const conditions = [
    groups?.length && t('console-announcements.of.groups', { names: or(groups) }),
    languages?.length &&
      t('console-announcements.of.languages', { names: or(languages.map(languageName)) }),
    tags?.length && t('console-announcements.of.tags', { names: or(tags) }),
    joined_from && t('console-announcements.of.joined', { date: formatDate(joined_from, 'day') }),
    earned_from && t('console-announcements.of.earned', { date: formatDate(earned_from, 'day') }),
    segment.no_clicks && t('console-announcements.of.noClicks'),
  ].filter((one) => typeof one === 'string' && one !== '');
  const who =
    count === 0
      ? t(`console-announcements.none.${status}`)
      : t(`console-announcements.all.${status}`, { count });
  return conditions.length === 0 ? who : `${who} ${conditions.join(', ')}`;
}

function or(names: readonly string[]): string {
  const language = currentLanguage();
  const format = keptFormat(
    `or ${language}`,
    () => new Intl.ListFormat(language, { type: 'disjunction' }),
  );
  return format.format(names);
}

function languageName(code: string): string {
  const language = currentLanguage();
  const names = keptFormat(
    `languages ${language}`,
    () => new Intl.DisplayNames(language, { type: 'language' }),
  );
  return names.of(code) ?? code;
}

/** The sentence while the conditions are chosen: each change is counted by the service. */
export function Receivers({
  preview: { data, error, retry, isCurrent },
}: {
  preview: LoadedPreview;
}) {
  if (!data && error !== undefined) return <ErrorState error={error} retry={retry} />;
  return (
    <p class="announcement-to" role="status" data-stale={!isCurrent}>
      {data ? sentenceOf(data.segment, data.receivers) : t('console-announcements.counting')}
    </p>
  );
}
