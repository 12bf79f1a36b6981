import type { TString } from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { actorId } from '../../kernel/declare/caller.ts';
import type { Context } from '../../kernel/declare/operation.ts';
import type { SettingDefinition } from '../../kernel/declare/setting.ts';
import { storeSettings } from '../settings/index.ts';
import { saveBrandFile, type BrandFileKind } from './brand-file-rows.ts';
import { brandLogo, programPicture } from './brand-settings.ts';
import type { ImageFile } from './read-image.ts';

const settingOf: Record<BrandFileKind, SettingDefinition<TString>> = {
  logo: brandLogo,
  picture: programPicture,
};

/** Replaces the logo or the picture; undefined removes it. */
export async function setBrandFile(
  { db, site, caller, nowMs }: Context<Transaction>,
  kind: BrandFileKind,
  file: ImageFile | undefined,
): Promise<void> {
  const setting = { setting: settingOf[kind], value: file?.name ?? '' };
  await storeSettings(db, site, [setting], { userId: actorId(caller), nowMs });
  await saveBrandFile(db, kind, file);
}
