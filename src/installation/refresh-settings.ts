import { fits } from '../kernel/declare/setting.ts';
import { perSite, type Site } from '../kernel/declare/site.ts';
import { loadSettings } from '../modules/settings/index.ts';

const refreshes = perSite((site) => new SettingsRefresh(site));

/** Reloads the settings from the database; resolves when they are applied. */
export function refreshSettings(site: Site): Promise<void> {
  return refreshes(site).run();
}

/**
 * Runs one query at a time, and drops its result if this process changed a setting in the meantime:
 * an older result that arrives late would undo the newer change.
 */
class SettingsRefresh {
  readonly #site: Site;
  #running: Promise<void> | undefined;
  #isWanted = false;

  constructor(site: Site) {
    this.#site = site;
  }

  run(): Promise<void> {
    this.#isWanted = true;
    return (this.#running ??= this.#work().finally(() => (this.#running = undefined)));
  }

  async #work(): Promise<void> {
    const { settings, database } = this.#site;
    while (this.#isWanted) {
      this.#isWanted = false;
      const before = settings.changes;
      const stored = await loadSettings(database.read, this.#site);
      if (settings.changes === before) settings.apply(usable(this.#site, stored), { whole: true });
      else this.#isWanted = true;
    }
  }
}

function usable(site: Site, stored: [string, unknown][]): [string, unknown][] {
  const known = new Map(
    site.registry.modules.flatMap((module) => module.settings ?? []).map((s) => [s.key, s]),
  );
  return stored.filter(([key, value]) => {
    const setting = known.get(key);
    if (setting && fits(setting, value)) return true;
    if (setting) site.log.warn({ key }, 'a stored setting does not fit and is at its default');
    return false;
  });
}
