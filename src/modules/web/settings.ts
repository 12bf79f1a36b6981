import Type from 'typebox';
import { defineSetting } from '../../kernel/declare/setting.ts';

/** Modules list the operations of their pages under this setting in `switches`. */
export const webEnabled = defineSetting(
  'web.enabled',
  Type.Boolean(),
  true,
  'Serves the portal and the public pages. Without them, only the APIs and the API reference remain.',
);
