import type { Transaction } from '../../../db/database.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { siteLanguage } from '../../../modules/store-profile/index.ts';
import { languages } from '../../../shared/languages.ts';
import { textIn } from '../../../shared/texts.ts';
import { insertNewSeries } from './save-series.ts';
import { lockSeries, newestEvent, seriesCursor } from './series-rows.ts';

const IDLE_DAYS = 60;

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

/** Once for an installation: three series for the owner to change and switch on. A deleted one does not return. */
export async function addReadySeries(tx: Transaction, site: Site): Promise<void> {
  await lockSeries(tx);
  if ((await seriesCursor.position(tx)) !== undefined) return;
  await seriesCursor.begin(tx, (await newestEvent(tx)).id);
  const language = site.settings.get(siteLanguage);
  const nowMs = site.clock();
  for (const { name, starts_on, steps } of ready) {
    const isIdle = starts_on === 'idle';
    await insertNewSeries(
      tx,
      {
        name: textIn(language, `server.series.${name}`),
        starts_on,
        idle_days: isIdle ? IDLE_DAYS : null,
        ends_on_order: Number(starts_on !== 'first_order'),
      },
      steps.map(({ after_days, text }) => ({ after_days, texts: textsOf(text) })),
      { actorId: 0, nowMs },
    );
  }
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
