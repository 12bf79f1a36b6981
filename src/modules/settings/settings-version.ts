import { createHash } from 'node:crypto';
import type { Reader } from '../../db/database.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { shownValue } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { findUser } from '../users/index.ts';
import type { StoredSettings } from './setting-rows.ts';

/** The number is the version; the rest lets a cache notice values that the configuration fixes. */
export function settingsTag(version: number, shown: Record<string, unknown>): string {
  const hash = createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 12);
  return `"${version}-${hash}"`;
}

/** Throws if an If-Match header does not name the stored version, with what changed since. */
export async function requireVersion(
  db: Reader,
  site: Site,
  ifMatch: string | undefined,
  stored: StoredSettings,
): Promise<void> {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const versions = [...ifMatch.matchAll(/"(\d{1,15})-[^"]*"/g)].map(([, version]) =>
    Number(version),
  );
  if (versions.includes(stored.version)) return;
  const changed =
    versions.length === 0 ? [] : await describeChanges(db, site, stored, Math.max(...versions));
  const names = changed.map(({ setting, by }) => (by ? `${setting} (by ${by.name})` : setting));
  throw new ApiError(generalErrors.changedMeanwhile, {
    ...(names.length > 0 && {
      message: `Changed since: ${names.join(', ')}. Nothing was saved.`,
    }),
    data: { changed },
  });
}

/** A setting that another user has changed since a version. */
export interface ForeignChange {
  readonly setting: string;
  /** The value that is stored now; a secret is masked. */
  readonly value: unknown;
  /** Null for the system, such as the command line. */
  readonly by: { readonly id: number; readonly name: string } | null;
  readonly at: string;
}

async function describeChanges(
  db: Reader,
  site: Site,
  stored: StoredSettings,
  version: number,
): Promise<ForeignChange[]> {
  const names = new Map<number, string>();
  const changes: ForeignChange[] = [];
  for (const { key, updated_by: id, updated_at } of stored.changedSince(version)) {
    const setting = site.registry.settings().get(key);
    if (!setting) continue;
    if (id !== 0 && !names.has(id)) {
      const user = await findUser(db, id);
      names.set(id, user?.display_name || user?.login || String(id));
    }
    changes.push({
      setting: key,
      value: shownValue(setting, stored.values.get(key)),
      by: id === 0 ? null : { id, name: names.get(id)! },
      at: site.calendar.toLocal(updated_at),
    });
  }
  return changes;
}
