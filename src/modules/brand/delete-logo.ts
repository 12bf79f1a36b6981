import Type from 'typebox';
import { actorId } from '../../kernel/declare/caller.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { storeSettings } from '../settings/index.ts';
import { brandLogo } from './brand-settings.ts';
import { saveLogo } from './logo-rows.ts';

export const deleteLogo = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/brand/logo',
  summary: 'Remove the logo of the store',
  access: 'admin',
  scope: 'manage',
  response: Type.Object({ deleted: Type.Literal(true) }),
  async handle({ db, site, caller, nowMs }) {
    const setting = { setting: brandLogo, value: '' };
    await storeSettings(db, site, [setting], { userId: actorId(caller), nowMs });
    await saveLogo(db, undefined);
    return { deleted: true as const };
  },
});
