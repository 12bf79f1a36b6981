import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { actorId } from '../../kernel/caller.ts';
import { ApiError, generalErrors } from '../../kernel/errors.ts';
import { defineEvent } from '../../kernel/event.ts';
import { operation } from '../../kernel/operation.ts';
import type { Site } from '../../kernel/site.ts';
import { emit } from '../events/index.ts';
import { loadSettings, saveSetting } from './setting-store.ts';
import { settingsPatchSchema, settingsSchema, toSettings } from './setting-wire.ts';

export const settingsUpdated = defineEvent(
  'settings.updated',
  'Settings were changed.',
  Type.Object({
    changed: Type.Record(Type.String(), Type.Unknown(), { description: 'The new values by key.' }),
  }),
);

export const changeSettings = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/settings',
  summary: 'Change settings',
  description: 'Takes effect at once. One bad value, and nothing is changed.',
  access: 'admin',
  scope: 'manage',
  body: settingsPatchSchema,
  response: settingsSchema,
  async handle({ db, site, caller, nowMs }, input: Record<string, unknown>) {
    refuseBadValues(site, input);
    // Compared with the database, not with memory: another process may have been here just now.
    const stored = new Map(await loadSettings(db));
    const changed = Object.fromEntries(
      Object.entries(input).filter(([key, value]) => {
        const before = stored.has(key) ? stored.get(key) : defaultOf(site, key);
        return !isDeepStrictEqual(value, before);
      }),
    );
    const keys = Object.keys(changed);
    if (keys.length === 0) return toSettings(site);

    for (const key of keys) await saveSetting(db, key, changed[key], nowMs);
    await emit(db, settingsUpdated, {
      objectId: 0,
      userId: actorId(caller),
      info: `Settings changed: ${keys.join(', ')}.`,
      data: { changed },
      nowMs,
    });
    db.afterCommit(() => site.settings.apply(Object.entries(changed), { whole: false }));
    return { ...toSettings(site), ...changed };
  },
});

function defaultOf(site: Site, key: string): unknown {
  return site.registry.settings().get(key)!.default;
}

function refuseBadValues(site: Site, input: Record<string, unknown>): void {
  const faults: Record<string, string> = {};
  for (const [key, value] of Object.entries(input)) {
    const reason = site.registry.settings().get(key)!.check?.(value, site.registry);
    if (reason !== undefined) faults[key] = reason;
  }
  const names = Object.keys(faults);
  if (names.length === 0) return;
  throw new ApiError(generalErrors.invalidParam, {
    message: `Invalid parameter(s): ${names.join(', ')}`,
    data: { params: faults },
  });
}
