import { invoke } from '../../kernel/call/invoke.ts';
import type { CommandContext } from '../../kernel/declare/command.ts';
import { ApiError } from '../../kernel/declare/errors.ts';
import { curlHere } from '../../kernel/present/curl.ts';
import { textTable } from '../../shared/text-table.ts';
import { requireUser } from '../users/index.ts';
import { createKey } from './create-key.ts';
import { listKeys } from './list-keys.ts';
import { revokeKey } from './revoke-key.ts';

interface KeyRecord {
  id: number;
  user_id: number;
  description: string;
  key_prefix: string;
  scopes: string[];
  status: string;
  last_used: string | null;
  date_expires: string | null;
}

export interface CreateFlags {
  user: string;
  scopes: string;
  expires?: string;
  description?: string;
}

export interface ListFlags {
  user?: string;
  status?: string;
  page?: string;
}

export async function create(
  { withSite, print }: CommandContext,
  flags: CreateFlags,
): Promise<void> {
  await withSite(async (site) => {
    const owner = await requireUser(site, flags.user);
    const key = await invoke<KeyRecord & { token: string; notice: string }>(site, createKey, {
      user_id: owner.id,
      scopes: flags.scopes,
      expires: flags.expires,
      description: flags.description,
    });
    print(key, () =>
      [
        `Key ${key.id} for ${owner.login} (${key.scopes.join(', ')}): ${key.token}`,
        key.notice,
        '',
        `${curlHere(site)} -H 'Authorization: Bearer ${key.token}' ${site.publicUrl}/svc/v2/me`,
      ].join('\n'),
    );
  });
}

export async function list({ withSite, print }: CommandContext, flags: ListFlags): Promise<void> {
  await withSite(async (site) => {
    const user = flags.user === undefined ? undefined : await requireUser(site, flags.user);
    const keys = await invoke<KeyRecord[]>(site, listKeys, {
      user_id: user?.id,
      status: flags.status,
      page: flags.page,
      per_page: 100,
    });
    print(keys, () =>
      keys.length === 0
        ? 'No keys. Make one: ./tributary keys create --user LOGIN'
        : textTable(
            ['id', 'key', 'user', 'scopes', 'status', 'last used', 'expires', 'description'],
            keys.map((key) => [
              String(key.id),
              `${key.key_prefix}…`,
              String(key.user_id),
              key.scopes.join(','),
              key.status,
              key.last_used ?? 'never',
              key.date_expires ?? 'never',
              key.description,
            ]),
          ),
    );
  });
}

export async function revoke({ withSite, print }: CommandContext, id: string): Promise<void> {
  await withSite(async (site) => {
    const answer = await invoke(site, revokeKey, { id }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.definition.status !== 404) throw error;
      throw new ApiError(error.definition, {
        message: `There is no key ${id}. To list them: ./tributary keys list`,
      });
    });
    print(answer, () => `Key ${id} is revoked.`);
  });
}
