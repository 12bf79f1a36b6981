import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { siteLanguage } from '../../../src/modules/store-profile/index.ts';
import { languages } from '../../../src/shared/languages.ts';
import { textIn } from '../../../src/shared/texts.ts';
import '../texts.ts';
import { idleDaysOf, insertNewSeries, type Author } from './save-series.ts';
import { listSeriesRows, lockSeries } from './series-rows.ts';

const SERIES_LOOKED_AT = 100;

const ready = [
  {
    name: 'welcome',
    starts_on: 'accepted',
    steps: [
      { after_days: 0, text: 'welcome1' },
      { after_days: 3, text: 'welcome2' },
      { after_days: 14, text: 'welcome3' },
    ],
  },
  {
    name: 'firstOrder',
    starts_on: 'first_order',
    steps: [
      { after_days: 0, text: 'firstOrder1' },
      { after_days: 7, text: 'firstOrder2' },
    ],
  },
  {
    name: 'sleeping',
    starts_on: 'idle',
    steps: [
      { after_days: 0, text: 'sleeping1' },
      { after_days: 14, text: 'sleeping2' },
    ],
  },
] as const;

/**
 * Adds series for the owner to change and switch on: those that begin as no series does yet, so that a second request
 * adds none. Returns their ids.
 */
export async function addReadySeries(tx: Transaction, site: Site, by: Author): Promise<number[]> {
  await lockSeries(tx);
  const there = await listSeriesRows(tx, {}, { limit: SERIES_LOOKED_AT, offset: 0 });
  const starts = new Set<string>(there.map(({ starts_on }) => starts_on));
  const language = site.settings.get(siteLanguage);
  const ids: number[] = [];
  for (const { name, starts_on, steps } of ready.filter((one) => !starts.has(one.starts_on))) {
    ids.push(
      await insertNewSeries(
        tx,
        {
          name: textIn(language, `server.series.${name}`),
          starts_on,
          idle_days: idleDaysOf(starts_on, undefined),
          ends_on_order: Number(starts_on !== 'first_order'),
        },
        steps.map(({ after_days, text }) => ({ after_days, texts: textsOf(text) })),
        by,
      ),
    );
  }
  return ids;
}

function textsOf(text: (typeof ready)[number]['steps'][number]['text']) {
  return Object.fromEntries(
    languages.map((one) => [
      one,
      {
        subject: textIn(one, `server.series.${text}.subject`),
        text: textIn(one, `server.series.${text}.text`),
      },
    ]),
  );
}
