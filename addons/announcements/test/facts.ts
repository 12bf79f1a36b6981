import type { Case } from '../../../test/growth/request.ts';
import type { AddonFacts, Scenarios } from '../../../test/support/addon-facts.ts';
import { idOf } from '../../../test/support/people.ts';

const STORE = '/svc/store/v1';
const TEXT = 'a text or a mail; no money and no secret';
const texts = { en: { subject: 'News', text: 'Hello {{name}}' } };

/** An announcement of its own, in a state. */
const announcement =
  (state = 'draft'): Case =>
  async (_row, store) => {
    const path = `${STORE}/announcements`;
    const { body } = await store.call(path, { method: 'POST', json: { texts } });
    store.db.exec(`update announcements set state = '${state}' where id = ${body.id}`);
    return { params: { id: body.id } };
  };

/** A series of its own, with a step and the affiliate of the row as a member. */
const series =
  (params: (row: number, id: number) => Record<string, number> = (_row, id) => ({ id })): Case =>
  async (row, store) => {
    const { body } = await store.call(`${STORE}/series`, {
      method: 'POST',
      json: { name: 'Welcome', starts_on: 'accepted', steps: [{ after_days: 1, texts }] },
    });
    store.db.exec(`update series_members set series_id = ${body.id}, state = 'waiting', due_at = 1
      where user_id = ${row}`);
    return { params: params(row, body.id) };
  };
const seriesMember = series((row, id) => ({ id, user_id: row }));

/** A draft after these steps. */
const draft =
  (...steps: string[]): Scenarios[string][string] =>
  async (_fresh, send) => {
    const { body } = await send('POST', '/announcements', { texts });
    for (const step of steps) await send('POST', `/announcements/${body.id}/${step}`, {});
    return { values: { id: body.id } };
  };

export const facts: AddonFacts = {
  personalColumns: {
    announcement_receivers: {
      announcement_id: 'announcements.announcement_id',
      user_id: 'account.id',
      state: 'announcements.state',
      error: 'announcements.error',
      updated_at: 'announcements.updated_at',
      read_at: 'announcements.read_at',
    },
    announcements: 'texts that the team has written to many, and their counts',
    series: 'series of mails that the team has written, and their counts',
    series_members: {
      series_id: 'series.series_id',
      user_id: 'account.id',
      state: 'series.state',
      reason: 'series.reason',
      entered_at: 'series.entered_at',
      due_at: 'series.due_at',
      days: 'series.days',
      ended_at: 'series.ended_at',
    },
    series_steps: 'the days of the mails of a series',
  },
  async fillPerson(send, userId, { site }) {
    const { id } = await send('POST', '/announcements', { texts });
    await send('POST', `/announcements/${id}/send`, {});
    const jobs = site.registry.modules.flatMap((module) => module.jobs ?? []);
    await jobs.find(({ name }) => name === 'announcements.send')!.run(site);
    const { id: entered } = await send('POST', '/series', { name: 'Hi', starts_on: 'accepted' });
    await site.database.transaction((tx) =>
      tx.execute(`insert into series_members (series_id, user_id, state, reason, entered_at, due_at, days, ended_at)
        values (${entered}, ${userId}, 'waiting', '', 1, 1, -1, 1)`),
    );
  },
  withoutProof: {
    'POST /svc/store/v1/affiliates/{id}/announcements/read': TEXT,
    'POST /svc/store/v1/announcements': TEXT,
    'POST /svc/store/v1/announcements/preview': 'previews, and stores nothing',
    'DELETE /svc/store/v1/announcements/{id}': TEXT,
    'PATCH /svc/store/v1/announcements/{id}': TEXT,
    'POST /svc/store/v1/announcements/{id}/cancel': TEXT,
    'POST /svc/store/v1/announcements/{id}/pause': TEXT,
    'POST /svc/store/v1/announcements/{id}/resume': TEXT,
    'POST /svc/store/v1/announcements/{id}/send': TEXT,
    'POST /svc/store/v1/announcements/{id}/test': TEXT,
    'POST /svc/store/v1/series': TEXT,
    'POST /svc/store/v1/series/ready': TEXT,
    'DELETE /svc/store/v1/series/{id}': TEXT,
    'PATCH /svc/store/v1/series/{id}': TEXT,
    'DELETE /svc/store/v1/series/{id}/members/{user_id}': TEXT,
  },
  screens: {
    portal: ['/app/news'],
    console: [
      '/console/announcements',
      '/console/announcements/new',
      '/console/announcements?tab=series',
    ],
  },
  forms: ['/console/announcements/new'],
  consoleGuides: {
    '/console/announcements': 'announcements',
    '/console/announcements?tab=series': 'series',
  },
  portalGuides: { '/app/news': 'your-account#news-and-messages' },
  guidesWithoutScreen: { 'announcements-api': '/help/announcements' },
  posts: {
    'store:post_affiliates_id_announcements_read': {
      'what there is, by the affiliate': async (_fresh, _send, app) => ({
        values: { id: idOf('maya') },
        json: { announcement_id: 1 },
        key: await app.key('maya', 'read,write'),
      }),
    },
    'store:post_announcements': { 'a draft': () => ({ json: { texts } }) },
    'store:post_announcements_preview': { 'a preview': () => ({ json: { texts } }) },
    'store:post_announcements_id_test': { 'a draft': draft() },
    'store:post_announcements_id_send': {
      'a draft': async (...kit) => ({ ...(await draft()(...kit)), json: {} }),
    },
    'store:post_announcements_id_pause': { 'one that is being sent': draft('send') },
    'store:post_announcements_id_resume': { 'one that is paused': draft('send', 'pause') },
    'store:post_announcements_id_cancel': { 'one that is being sent': draft('send') },
    'store:post_series': {
      'a series': () => ({ json: { name: 'Welcome', starts_on: 'accepted' } }),
    },
    'store:post_series_ready': { 'the ready ones': () => ({}) },
  },
  notFilled: {
    announcements: 'one row for each, written by the team',
    series: 'one row for each, written by the team',
    series_steps: 'one row for each mail of a series, written by the team',
  },
  filledWith: ({ few }) => ({
    'announcement_receivers.announcement_id': few,
    'announcement_receivers.state': `'sent'`,
    'series_members.series_id': few,
    'series_members.state': `'completed'`,
    'series_members.due_at': 'null',
    'series_members.reason': `''`,
  }),
  growthCases: {
    'GET /svc/store/v1/announcements/{id}': announcement(),
    'GET /svc/store/v1/announcements/{id}/receivers': announcement('sent'),
    'PATCH /svc/store/v1/announcements/{id}': announcement(),
    'DELETE /svc/store/v1/announcements/{id}': announcement(),
    'POST /svc/store/v1/announcements/{id}/send': announcement(),
    'POST /svc/store/v1/announcements/{id}/test': announcement(),
    'POST /svc/store/v1/announcements/{id}/pause': announcement('sending'),
    'POST /svc/store/v1/announcements/{id}/resume': announcement('paused'),
    'POST /svc/store/v1/announcements/{id}/cancel': announcement('sending'),
    'GET /svc/store/v1/series/{id}': series(),
    'PATCH /svc/store/v1/series/{id}': series(),
    'DELETE /svc/store/v1/series/{id}': series(),
    'GET /svc/store/v1/series/{id}/members': series(),
    'DELETE /svc/store/v1/series/{id}/members/{user_id}': seriesMember,
    'GET /svc/store/v1/series/{id}/preview/{user_id}': seriesMember,
    'POST /svc/store/v1/affiliates/{id}/announcements/read': async (_row, { app }) => ({
      session: await app.signIn('maya'),
      params: { id: idOf('maya') },
    }),
  },
  grows: {
    'POST /svc/store/v1/announcements/preview': {
      stepsPerRow: 8,
      because: 'counts the affiliates of the segment, here every active one',
    },
  },
  runs: {
    leftOnSqlite: {
      'tries every control of one screen of the team, which test/browser/every-screen.test.ts opens':
        ['addons/announcements/test/browser/announcements.test.ts'],
    },
  },
};
