import type { Site } from '../kernel/declare/site.ts';
import { saveSetting } from '../modules/settings/index.ts';
import { hasAmounts, storeCurrency, storeTimeZone } from '../modules/store-profile/index.ts';
import { hasAdministrator } from '../modules/users/index.ts';
import { configKeys } from './config-keys.ts';
import { ConfigError } from './config.ts';

/** Refuses a configured currency that differs from that of stored amounts. */
export async function refuseOtherCurrency({ settings, database }: Site): Promise<void> {
  const [stored, inForce] = [settings.stored(storeCurrency), settings.get(storeCurrency)];
  if (stored === undefined || stored === inForce || !(await hasAmounts(database.read))) return;
  throw new ConfigError(
    `${configKeys.currency.env} is ${inForce}, but the amounts in the database are in ${stored}. ` +
      `Set it to ${stored}, or leave it out.`,
  );
}

/**
 * Stores the currency and the time zone in use, so that later starts without the variables and other
 * instances use the same. Before the setup nothing is stored.
 */
export async function recordStore(site: Site): Promise<void> {
  const { settings, database } = site;
  const differing = [storeCurrency, storeTimeZone].filter(
    (setting) => settings.stored(setting) !== settings.get(setting),
  );
  if (differing.length === 0 || !(await hasAdministrator(database.read))) return;
  const zone = settings.stored(storeTimeZone);
  if (zone !== undefined && zone !== settings.get(storeTimeZone)) {
    site.log.warn(
      { before: zone, now: settings.get(storeTimeZone) },
      'the time zone has changed: days that were counted stay as they are',
    );
  }
  const values = differing.map((setting): [string, unknown] => [
    setting.key,
    settings.get(setting),
  ]);
  await database.transaction(async (tx) => {
    await tx.lock('settings');
    for (const setting of differing) {
      await saveSetting(tx, site, setting, settings.get(setting), { nowMs: site.clock() });
    }
    tx.afterCommitEverywhere(() => settings.apply(values, { whole: false }));
  });
}
