import { defineEffect } from '../../kernel/declare/setting-effect.ts';
import { webEnabled } from './settings.ts';

export const webEffect = defineEffect(webEnabled, ({ after }) =>
  after
    ? { text: 'The portal, the console and the public pages are served again.' }
    : {
        text: 'The portal, this console and the public pages are gone at once. Only the API or the command line can bring them back.',
      },
);
